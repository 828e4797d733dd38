import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { aPrincipal, startService, type TestService } from '../../testing/service.js';
import { bulkLinks } from './bulk-links.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

describe('a bulk action', () => {
  test('applies to each link independently and lists failures', async () => {
    const { aLink, links, workspaceId } = service.as();
    const own = [await aLink(), await aLink(), await aLink()].map(({ id }) => id);
    const foreign = await service.as().aLink();
    const unknown = newId('lnk');
    const ids = [own[0]!, foreign.id, own[1]!, unknown, own[0]!, 'not an id'];
    const result = await links('BulkLinks', { action: 'archive', ids });
    expect(result).toMatchObject({ action: 'archive', updated: 2, unchanged: 0 });
    expect(result.failed.map(({ id, code }) => [id, code])).toEqual([
      [foreign.id, 'FORBIDDEN'],
      [unknown, 'NOT_FOUND'],
      ['not an id', 'NOT_FOUND'],
    ]);
    const statuses = (await links('ListLinks', { limit: 10, order: 'asc' })).links.map(({ status }) => status);
    expect(statuses).toEqual(['archived', 'archived', 'active']);
    const events = await service.events(workspaceId, 5);
    expect(events.filter(({ type }) => type === 'link.updated').map(({ target }) => target.id)).toEqual(
      own.slice(0, 2),
    );
  });

  test('activates the links that can be activated', async () => {
    const { aLink, links } = service.as();
    const [used, archived] = [await aLink({ maxClicks: 1 }), await aLink()];
    await service.models.routes.updateOne({ linkId: used.id }, { $set: { remaining: 0 } });
    await links('UpdateLink', { id: archived.id, status: 'archived' });
    const { updated, failed } = await links('BulkLinks', { action: 'activate', ids: [used.id, archived.id] });
    expect(updated).toBe(1);
    expect(failed).toMatchObject([{ id: used.id, code: 'VALIDATION_ERROR' }]);
    expect((await links('GetLink', { idOrSlug: archived.id })).status).toBe('active');
  });

  test('deletes links', async () => {
    const { aLink, links } = service.as();
    const ids = [await aLink(), await aLink()].map(({ id }) => id);
    expect(await links('BulkLinks', { action: 'delete', ids })).toMatchObject({ updated: 2, failed: [] });
    expect((await links('ListLinks', { limit: 10 })).links).toEqual([]);
  });

  test.each(['archive', 'activate', 'delete', 'addTag', 'removeTag'])(
    'accepts ids only: %s fails for a slug and does not change the link with that slug',
    async (action) => {
      const { aLink, links } = service.as();
      const { id, slug } = await aLink();
      const other = await aLink();
      await links('UpdateLink', { id, tags: { names: ['t'] }, ...(action === 'activate' && { status: 'archived' }) });
      const before = await links('GetLink', { idOrSlug: id });
      const tag = { addTag: 'other', removeTag: 't' }[action];
      const request = { action, ids: [slug, other.id], ...(tag && { tag }) };
      const result = await links('BulkLinks', request);
      expect(result.updated + result.unchanged).toBe(1);
      expect(result.failed).toEqual([{ id: slug, code: 'NOT_FOUND', message: 'No link with this id.' }]);
      expect(await links('GetLink', { idOrSlug: id })).toEqual(before);
    },
  );

  test('adds a tag, by name or id, and removes it', async () => {
    const { aLink, links, tags } = service.as();
    const full = await aLink({ tags: Array.from({ length: 20 }, (_, i) => `t${i}`) });
    const link = await aLink({ tags: ['t1'] });
    const ids = [full.id, link.id];
    const added = await links('BulkLinks', { action: 'addTag', ids, tag: ' Added ' });
    expect(added).toMatchObject({ updated: 1, failed: [{ id: full.id, code: 'VALIDATION_ERROR' }] });
    const repeated = await links('BulkLinks', { action: 'addTag', ids, tag: 'T1' });
    expect(repeated).toMatchObject({ updated: 0, unchanged: 2, failed: [] });
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['Added', 't1']);
    const { id: tag } = (await tags('ListTags', {})).tags.find(({ name }) => name === 'Added')!;
    expect(await links('BulkLinks', { action: 'removeTag', ids, tag })).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await links('BulkLinks', { action: 'removeTag', ids: [full.id], tag: 'T2' })).toMatchObject({ updated: 1 });
    expect((await links('GetLink', { idOrSlug: full.id })).tags).not.toContain('t2');
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['t1']);
    expect(await links('BulkLinks', { action: 'addTag', ids: [link.id], tag })).toMatchObject({ updated: 1 });
    expect((await links('GetLink', { idOrSlug: link.id })).tags).toEqual(['Added', 't1']);
  });

  test('rejects addTag with the id of a foreign or deleted tag, and ignores removeTag with the id of a deleted tag', async () => {
    const { aLink, links, tags } = service.as();
    const { id } = await aLink({ tags: ['own'] });
    const { id: own } = (await tags('ListTags', {})).tags[0]!;
    const other = service.as();
    const { id: foreignLink } = await other.aLink();
    const add = { action: 'addTag', tag: own };
    await expect(other.links('BulkLinks', { ...add, ids: [foreignLink] })).rejects.toMatchObject({ field: 'tag' });
    await tags('DeleteTag', { id: own });
    await expect(links('BulkLinks', { ...add, ids: [id] })).rejects.toMatchObject({ field: 'tag' });
    expect((await tags('ListTags', {})).tags).toEqual([]);
    expect(await links('BulkLinks', { action: 'removeTag', tag: own, ids: [id] })).toMatchObject({ unchanged: 1 });
  });

  test('adds and removes a tag whose name has the form of an id; ids take precedence over names', async () => {
    const { aLink, links, tags } = service.as();
    const name = newId('tag');
    await aLink({ tags: [name] });
    const ids = [(await aLink()).id];
    expect(await links('BulkLinks', { action: 'addTag', ids, tag: name })).toMatchObject({ updated: 1 });
    expect(await links('BulkLinks', { action: 'removeTag', ids, tag: name })).toMatchObject({ updated: 1 });
    const { id: tag } = await tags('CreateTag', { name: 'preferred' });
    await tags('CreateTag', { name: tag });
    expect(await links('BulkLinks', { action: 'addTag', ids, tag })).toMatchObject({ updated: 1 });
    expect((await links('GetLink', { idOrSlug: ids[0]! })).tags).toEqual(['preferred']);
    expect(await links('BulkLinks', { action: 'addTag', ids, tag: newId('lnk') })).toMatchObject({ updated: 1 });
  });

  test.each([
    ['an unknown action', { action: 'destroy' }, 'action'],
    ['no action', { action: '' }, 'action'],
    ['no ids', { ids: [] }, 'ids'],
    ['101 ids', { ids: Array.from({ length: 101 }, () => newId('lnk')) }, 'ids'],
    ['addTag without a tag', { action: 'addTag' }, 'tag'],
    ['addTag with the id of an unknown tag', { action: 'addTag', tag: newId('tag') }, 'tag'],
    ['removeTag with a blank tag', { action: 'removeTag', tag: ' ' }, 'tag'],
    ['a tag of 51 characters', { action: 'addTag', tag: 'x'.repeat(51) }, 'tag'],
    ['archive with a tag', { action: 'archive', tag: 'x' }, 'tag'],
  ])('is rejected entirely with %s', async (_name, wrong, field) => {
    const { links } = service.as();
    const request = { action: 'archive', ids: [newId('lnk')], ...wrong };
    await expect(links('BulkLinks', request)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('accepts 100 ids, and reports TIMEOUT for links that it has too little time to process', async () => {
    const [by, ids] = [aPrincipal(), Array.from({ length: 100 }, () => newId('lnk'))];
    // Without dependencies, so that processing a link would throw.
    const { updated, failed } = await bulkLinks({ deadline: Date.now() + 100 } as Parameters<typeof bulkLinks>[0], by, {
      action: 'archive',
      ids,
    });
    expect(updated).toBe(0);
    expect(failed.map(({ id, code }) => [id, code])).toEqual(ids.map((id) => [id, 'TIMEOUT']));
  });
});
