import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startService, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

describe('deleting a link', () => {
  test('deletes it, decrements its tags’ counts and emits link.deleted', async () => {
    const { aLink, links, tags, workspaceId } = service.as();
    const link = await aLink({ slug: 'to-delete', tags: ['t'] });
    expect(await links('DeleteLink', { id: link.id })).toEqual({ id: link.id });
    await expect(links('GetLink', { idOrSlug: link.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(links('DeleteLink', { id: link.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 't', linkCount: 0 }]);
    const deleted = (await service.events(workspaceId, 3)).at(-1);
    expect(deleted).toMatchObject({ type: 'link.deleted', data: { id: link.id, tags: ['t'] } });
    expect(service.invalidated).toContain('/to-delete');
  });

  test('reserves the slug for 30 days', async () => {
    const [owner, other] = [service.as(), service.as()];
    const link = await owner.aLink({ slug: 'Quarantined' });
    await owner.links('DeleteLink', { id: link.id });
    const tombstone = (await service.models.routes.findById('/quarantined').lean())!;
    expect(tombstone.status).toBe('deleted');
    expect((tombstone.purgeAt!.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 2);
    await expect(other.aLink({ slug: 'quarantined' })).rejects.toMatchObject({ code: 'SLUG_TAKEN', field: 'slug' });
    await expect(other.links('GetLink', { idOrSlug: 'quarantined' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const again = await owner.aLink({ slug: 'quarantineD' });
    await owner.links('DeleteLink', { id: again.id });
    await service.models.routes.updateOne({ _id: '/quarantined' }, { $set: { purgeAt: new Date(Date.now() - 1) } });
    expect((await other.aLink({ slug: 'quarantined' })).slug).toBe('quarantined');
  });

  test('succeeds exactly once for concurrent requests', async () => {
    const { aLink, links, tags } = service.as();
    const link = await aLink({ tags: ['once'] });
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => links('DeleteLink', { id: link.id })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await tags('ListTags', {})).tags).toMatchObject([{ linkCount: 0 }]);
  });
});
