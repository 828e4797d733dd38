import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startService, type Caller, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

describe('deleting a link', () => {
  test('deletes it, decrements its tags’ counts and emits link.deleted', async () => {
    const { aLink, aCode, links, tags, workspaceId } = service.as();
    const link = await aLink({ slug: 'to-delete', tags: ['t'] });
    const code = await aCode({ linkId: link.id });
    expect(await links('DeleteLink', { id: link.id })).toEqual({ id: link.id });
    await expect(links('GetLink', { idOrSlug: link.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(links('DeleteLink', { id: link.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 't', linkCount: 0 }]);
    const deleted = (await service.events(workspaceId, 3)).at(-1);
    const target = { type: 'link', id: link.id, label: 'to-delete' };
    expect(deleted).toMatchObject({ type: 'link.deleted', target, data: { id: link.id, tags: ['t'] } });
    expect(service.invalidated).toContain('/to-delete');
    // Once for the creation of the QR code and once for the deletion of its link.
    await until(() => service.invalidated.filter((key) => key === `/${code.slug}`).length === 2);
  });

  test.each([
    ['delete', (id: string, { links }: Caller) => links('DeleteLink', { id })],
    ['bulk', (id: string, { links }: Caller) => links('BulkLinks', { action: 'delete', ids: [id] })],
  ] as const)('expires the link first if it has reached a limit (%s)', async (kind, remove) => {
    const caller = service.as();
    const { aLink, by, workspaceId } = caller;
    const used = await aLink({ slug: `used-${kind}`, maxClicks: 2, tags: ['t'] });
    const late = await aLink({ slug: `late-${kind}`, expiresAt: '2090-01-01T00:00:00Z' });
    const unused = await aLink({ maxClicks: 1 });
    await service.models.routes.updateOne({ _id: `/used-${kind}` }, { $set: { remaining: 0 } });
    await service.models.links.updateOne({ _id: used.id }, { updatedAt: new Date(0) });
    await service.models.links.updateOne({ _id: late.id }, { expiresAt: new Date(0) });
    for (const { id } of [used, late, unused]) await remove(id, caller);
    const events = await service.events(workspaceId, 9);
    const eventsAfterCreation = ({ id }: { id: string }) => events.filter(({ target }) => target.id === id).slice(1);
    const [expiry] = eventsAfterCreation(used);
    expect(expiry).not.toMatchObject({ data: { updatedAt: new Date(0).toISOString() } });
    for (const link of [used, late]) {
      const target = { type: 'link', id: link.id, label: link.slug };
      expect(eventsAfterCreation(link)).toMatchObject([
        {
          type: 'link.expired',
          actor: { type: 'system' },
          target,
          changes: { status: { before: 'active', after: 'expired' } },
          data: { status: 'expired', tags: link.tags },
        },
        { type: 'link.deleted', actor: { id: by.id }, changes: {}, data: { status: 'expired', tags: link.tags } },
      ]);
    }
    expect(eventsAfterCreation(unused)).toMatchObject([{ type: 'link.deleted', data: { status: 'active' } }]);
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
