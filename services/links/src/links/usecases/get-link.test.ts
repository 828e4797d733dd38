import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { startService, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

describe('getting a link', () => {
  test('finds it by id, and by slug regardless of case', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ slug: 'By-Slug' });
    for (const idOrSlug of [link.id, 'By-Slug', 'bY-sLUG']) expect(await links('GetLink', { idOrSlug })).toEqual(link);
  });

  test('returns a link as expired as soon as it reaches a limit, before any sweep', async () => {
    const { links, aLink } = service.as();
    const late = await aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    const used = await aLink({ slug: 'used-up', maxClicks: 2 });
    const statusOf = async (idOrSlug: string) => (await links('GetLink', { idOrSlug })).status;
    const spendClick = () => service.models.routes.updateOne({ _id: '/used-up' }, { $inc: { remaining: -1 } });
    await spendClick();
    expect([late.status, await statusOf(used.id)]).toEqual(['active', 'active']);
    await spendClick();
    expect([await statusOf(used.id), await statusOf('used-up')]).toEqual(['expired', 'expired']);
    await service.models.links.updateOne({ _id: late.id }, { expiresAt: new Date(0) });
    expect(await statusOf(late.id)).toBe('expired');
    // The sweep, which runs once an hour in this suite, has not changed them.
    expect(await service.models.links.countDocuments({ _id: { $in: [late.id, used.id] }, status: 'active' })).toBe(2);
    for (const [id, field] of [
      [late.id, 'expiresAt'],
      [used.id, 'maxClicks'],
    ] as const) {
      const refused = { code: 'VALIDATION_ERROR', field };
      await expect(links('UpdateLink', { id, status: 'active' })).rejects.toMatchObject(refused);
    }
  });

  test('returns an archived link as archived, regardless of reached limits', async () => {
    const { links, aLink } = service.as();
    const { id } = await aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    await links('UpdateLink', { id, status: 'archived' });
    await service.models.links.updateOne({ _id: id }, { expiresAt: new Date(0) });
    expect((await links('GetLink', { idOrSlug: id })).status).toBe('archived');
  });

  test('throws NOT_FOUND for an unknown link', async () => {
    const { links, aLink, aCode } = service.as();
    const gone = await aLink({ slug: 'gone-slug' });
    const code = await aCode();
    await links('DeleteLink', { id: gone.id });
    const unknown = [
      newId('lnk'),
      newId('tag'),
      gone.id,
      'gone-slug',
      'no-such-slug',
      code.slug,
      '',
      'a/b',
      '\u0000',
      'x'.repeat(500),
      '$ne',
    ];
    for (const idOrSlug of unknown) {
      await expect(links('GetLink', { idOrSlug })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('throws FORBIDDEN for a link of another workspace, as do updating and deleting the link', async () => {
    const link = await service.as().aLink({ slug: 'not-yours' });
    const { links } = service.as();
    for (const idOrSlug of [link.id, 'Not-Yours']) {
      await expect(links('GetLink', { idOrSlug })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(links('UpdateLink', { id: link.id, title: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(links('DeleteLink', { id: link.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('does not find a slug of the default domain on another domain', async () => {
    const { links, aLink } = service.as();
    await aLink({ slug: 'default-only' });
    const elsewhere = { idOrSlug: 'default-only', domain: 'a.example' };
    await expect(links('GetLink', elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('rejects a domain that is not a host name', async () => {
    const invalid = { code: 'VALIDATION_ERROR', field: 'domain' };
    const request = { idOrSlug: 'any', domain: 'not a domain' };
    await expect(service.as().links('GetLink', request)).rejects.toMatchObject(invalid);
  });
});
