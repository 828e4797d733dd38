import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { readLinksConfig } from '../../config.js';
import { start } from '../../main.js';
import { startService, type TestService } from '../../testing/service.js';
import { newTag } from '../steps/use-tags.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** Waits until the removal of a deleted tag is complete, while another replica sweeps every 100 ms. */
async function sweep(tagId: string): Promise<void> {
  const replica = await start(readLinksConfig({ ...service.settings, EXPIRY_SWEEP_MS: '100' }));
  await until(async () => (await service.models.tagRemovals.findById(tagId)) === null).finally(() => replica.stop());
}

describe('tags', () => {
  test('are created once per name, regardless of case', async () => {
    const { tags, workspaceId } = service.as();
    const tag = await tags('CreateTag', { name: '  Café  ' });
    expect(tag).toMatchObject({ name: 'Café', linkCount: 0, qrCodeCount: 0 });
    expect(tag.id).toMatch(/^tag_/);
    const same = 'cafe\u0301'.toUpperCase();
    await expect(tags('CreateTag', { name: same })).rejects.toMatchObject({ code: 'TAG_EXISTS', field: 'name' });
    expect(await service.events(workspaceId, 1)).toMatchObject([{ type: 'tag.created', data: { id: tag.id } }]);
    expect((await service.as().tags('CreateTag', { name: 'café' })).name).toBe('café');
  });

  test('are created once per operation: a retry returns the tag of the first attempt', async () => {
    const { tags, workspaceId } = service.as();
    const request = { name: 'once', operationId: newUlid() };
    const tag = await tags('CreateTag', request);
    expect(tag.id).toBe(`tag_${request.operationId}`);
    expect(await tags('CreateTag', request)).toEqual(tag);
    const renamed = await tags('RenameTag', { id: tag.id, name: 'other' });
    expect(await tags('CreateTag', request)).toEqual(renamed);
    const taken = tags('CreateTag', { name: 'other', operationId: newUlid() });
    await expect(taken).rejects.toMatchObject({ code: 'TAG_EXISTS' });
    const nonsense = tags('CreateTag', { name: 'x', operationId: 'nonsense' });
    await expect(nonsense).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'operationId' });
    const events = await service.events(workspaceId, 2);
    expect(events.map(({ type }) => type)).toEqual(['tag.created', 'tag.updated']);
    expect(events[1]).toMatchObject({ target: { type: 'tag', id: tag.id, label: 'other' }, data: renamed });
  });

  test.each(['', '   ', 'x'.repeat(51), 'a\nb', 'a\u0000b'])('reject the name %j', async (name) => {
    const { tags } = service.as();
    const tag = await tags('CreateTag', { name: 'fine' });
    const invalid = { code: 'VALIDATION_ERROR', field: 'name' };
    await expect(tags('CreateTag', { name })).rejects.toMatchObject(invalid);
    await expect(tags('RenameTag', { id: tag.id, name })).rejects.toMatchObject(invalid);
  });

  test('may have 50 characters of any script', async () => {
    expect((await service.as().tags('CreateTag', { name: '🏷'.repeat(50) })).name).toBe('🏷'.repeat(50));
  });

  test('are listed by name', async () => {
    const { tags } = service.as();
    for (const name of ['b', 'A', 'ä', 'C']) await tags('CreateTag', { name });
    expect((await tags('ListTags', {})).tags.map(({ name }) => name)).toEqual(['A', 'b', 'C', 'ä']);
  });

  test('that an import creates have the spelling of their first use, and count all of their links', async () => {
    const { tags, links } = service.as();
    const rows = ['Blog', 'BLOG', 'blog'].map((tag) => ({ link: { url: 'https://example.com', tags: [tag] } }));
    await links('ImportLinks', { dryRun: false, links: rows });
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'Blog', linkCount: 3 }]);
  });

  test('keep their id and their links when renamed', async () => {
    const { tags, links, aLink, workspaceId } = service.as();
    const link = await aLink({ tags: ['before', 'other'] });
    const tag = (await tags('ListTags', {})).tags[0]!;
    await service.models.tags.updateOne({ _id: tag.id }, { updatedAt: new Date(0) });
    const renamed = await tags('RenameTag', { id: tag.id, name: 'After' });
    expect(Date.parse(renamed.updatedAt)).toBeGreaterThan(0);
    expect((await tags('ListTags', {})).tags[0]).toEqual(renamed);
    expect(renamed).toMatchObject({ id: tag.id, name: 'After', linkCount: 1, createdAt: tag.createdAt });
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['After', 'other']);
    expect((await tags('RenameTag', { id: tag.id, name: 'AFTER' })).name).toBe('AFTER');
    await tags('RenameTag', { id: tag.id, name: 'AFTER' });
    await expect(tags('RenameTag', { id: tag.id, name: 'OTHER' })).rejects.toMatchObject({ code: 'TAG_EXISTS' });
    const updates = (await service.events(workspaceId, 5)).filter(({ type }) => type === 'tag.updated');
    expect(updates.map(({ changes }) => changes)).toEqual([
      { name: { before: 'before', after: 'After' } },
      { name: { before: 'After', after: 'AFTER' } },
    ]);
  });

  test('are removed from their links when deleted', async () => {
    const { tags, links, aLink, workspaceId } = service.as();
    const link = await aLink({ tags: ['goes', 'stays'] });
    const tag = (await tags('ListTags', {})).tags[0]!;
    expect(await tags('DeleteTag', { id: tag.id })).toEqual({ id: tag.id });
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['stays']);
    expect(await service.models.links.countDocuments({ workspaceId, tags: tag.id })).toBe(0);
    expect(await service.models.tagRemovals.findById(tag.id)).toBeNull();
    expect((await links('ListLinks', { limit: 10, tags: ['goes'] })).links).toEqual([]);
    expect((await service.events(workspaceId, 4)).at(-1)).toMatchObject({
      type: 'tag.deleted',
      target: { type: 'tag', id: tag.id, label: 'goes' },
      data: { name: 'goes' },
    });
    await expect(tags('DeleteTag', { id: tag.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are removed later, by the sweep, from the links that the delete request did not update', async () => {
    const { tags, aLink, workspaceId } = service.as();
    const { id } = await tags('CreateTag', { name: 'popular' });
    const { models } = service;
    const template = (await models.links.findById((await aLink()).id).lean())!;
    const links = Array.from({ length: 2_001 }, () => {
      const _id = newId('lnk');
      return { ...template, _id, slug: _id, slugKey: _id, tags: [id] };
    });
    await models.links.insertMany(links);
    await tags('DeleteTag', { id });
    expect(await models.links.countDocuments({ workspaceId, tags: id })).toBe(1);
    await sweep(id);
    expect(await models.links.countDocuments({ workspaceId, tags: id })).toBe(0);
    expect(await models.tagRemovals.countDocuments({ workspaceId })).toBe(0);
  });

  test('that a crash left on links are hidden, and removed later', async () => {
    const { links, aLink, workspaceId } = service.as();
    const link = await aLink({ tags: ['stays'] });
    const orphan = newId('tag');
    await service.models.links.updateOne({ _id: link.id }, { $push: { tags: orphan } });
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['stays']);
    await service.models.tagRemovals.create({ _id: orphan, workspaceId, at: new Date() });
    await sweep(orphan);
    expect((await service.models.links.findById(link.id).lean())?.tags).toHaveLength(1);
  });

  test('of another workspace are forbidden, and unknown tags are not found', async () => {
    const { id } = await service.as().tags('CreateTag', { name: 'theirs' });
    const { tags } = service.as();
    await expect(tags('RenameTag', { id, name: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(tags('DeleteTag', { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const unknown of [newId('tag'), newId('lnk'), 'x', '']) {
      await expect(tags('RenameTag', { id: unknown, name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('are limited to 1,000 per workspace, regardless of how they are created', async () => {
    const { tags, aLink, links, workspaceId } = service.as();
    const now = new Date();
    await service.models.tags.insertMany(Array.from({ length: 998 }, (_, i) => newTag(workspaceId, `t${i}`, 0, now)));
    await expect(aLink({ tags: ['x', 'y', 'z'] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'tags' });
    await aLink({ tags: ['t1', 'the 999th'] });
    const last = { name: 'the thousandth', operationId: newUlid() };
    const created = await tags('CreateTag', last);
    await expect(tags('CreateTag', { name: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'name' });
    expect(await tags('CreateTag', last)).toEqual(created);
    await expect(aLink({ tags: ['x'] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'tags' });
    const rows = [
      { link: { url: 'https://example.com', tags: ['x'] } },
      { link: { url: 'https://example.com', tags: ['T1'] } },
    ];
    for (const dryRun of [true, false]) {
      const { results } = await links('ImportLinks', { dryRun, links: rows });
      expect(results).toMatchObject([{ error: { field: 'tags' } }, { status: dryRun ? 'valid' : 'created' }]);
    }
    expect((await tags('ListTags', {})).tags).toHaveLength(1_000);
  });
});
