import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { startService, type TestService } from '../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

describe('getting a link', () => {
  test('finds it by id, and by slug in any case', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ slug: 'By-Slug' });
    for (const idOrSlug of [link.id, 'By-Slug', 'bY-sLUG']) expect(await links('GetLink', { idOrSlug })).toEqual(link);
  });

  test('answers NOT_FOUND for what does not exist', async () => {
    const { links, aLink } = service.as();
    const gone = await aLink({ slug: 'gone-slug' });
    await links('DeleteLink', { id: gone.id });
    const unknown = [newId('lnk'), newId('tag'), gone.id, 'gone-slug', 'no-such-slug', '', 'a/b', '\u0000', 'x'.repeat(500), '$ne']; // prettier-ignore
    for (const idOrSlug of unknown) {
      await expect(links('GetLink', { idOrSlug })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test("answers FORBIDDEN for another workspace's, by id and by slug", async () => {
    const link = await service.as().aLink({ slug: 'not-yours' });
    const { links } = service.as();
    for (const idOrSlug of [link.id, 'Not-Yours']) {
      await expect(links('GetLink', { idOrSlug })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(links('UpdateLink', { id: link.id, title: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(links('DeleteLink', { id: link.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('finds no slug on a domain that the workspace does not have', async () => {
    const { links, aLink } = service.as();
    await aLink({ slug: 'default-only' });
    const elsewhere = { idOrSlug: 'default-only', domain: 'a.example' };
    await expect(links('GetLink', elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
