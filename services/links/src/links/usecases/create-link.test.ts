import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { aPrincipal, startService, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const invalid = (field: string) => ({ code: 'VALIDATION_ERROR', field });

describe('creating a link', () => {
  test('returns the complete record', async () => {
    const { links, by } = service.as();
    const before = Date.now();
    const link = await links('CreateLink', {
      url: 'https://münchen.example/größe?q=ü',
      slug: 'My_Slug-1',
      title: '  A title ',
      description: 'What it is',
      tags: ['beta', 'Alpha'],
      expiresAt: '2090-01-01T02:00:00+02:00',
      maxClicks: 1_000_000_000,
    });
    expect(link).toMatchObject({
      slug: 'My_Slug-1',
      shortUrl: 'https://go.example.com/My_Slug-1',
      url: 'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe?q=%C3%BC',
      title: 'A title',
      description: 'What it is',
      tags: ['Alpha', 'beta'],
      status: 'active',
      expiresAt: '2090-01-01T00:00:00.000Z',
      maxClicks: 1_000_000_000,
      clickCount: 0,
      qrCodeCount: 0,
      createdBy: { type: 'api_key', id: by.id },
    });
    expect(link.id).toMatch(/^lnk_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(link.domain).toBeUndefined();
    expect(link.lastClickAt).toBeUndefined();
    expect(Date.parse(link.createdAt)).toBeGreaterThanOrEqual(before);
    expect(await links('GetLink', { idOrSlug: link.id })).toEqual(link);
  });

  test('writes the route for redirects', async () => {
    const { links, workspaceId } = service.as();
    const link = await links('CreateLink', { url: 'https://example.com/r', slug: 'RouteOf', maxClicks: 3 });
    expect(await service.models.routes.findById('/routeof').lean()).toMatchObject({
      workspaceId,
      linkId: link.id,
      url: 'https://example.com/r',
      status: 'active',
      maxClicks: 3,
      remaining: 3,
      via: 'link',
      purgeAt: null,
    });
  });

  test('generates slugs of 7 easily readable characters', async () => {
    const { aLink } = service.as();
    const slugs = await Promise.all(Array.from({ length: 20 }, async () => (await aLink()).slug));
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/);
  });

  test('emits link.created and tag.created with the link and the tag as the API returns them', async () => {
    const { aLink, workspaceId, by } = service.as();
    const link = await aLink({ tags: ['News'], slug: newUlid().slice(0, 20) });
    const events = await service.events(workspaceId, 2);
    expect(events).toHaveLength(2);
    const created = events.find(({ type }) => type === 'link.created')!;
    expect(created).toMatchObject({
      workspaceId,
      actor: { type: 'api_key', id: by.id, name: by.name },
      requestId: by.requestId,
      ip: '192.0.2.7',
      target: { type: 'link', id: link.id, label: link.slug },
      changes: {},
      data: { id: link.id, tags: ['News'], domain: null, title: null, maxClicks: null, lastClickAt: null },
    });
    const tag = events.find(({ type }) => type === 'tag.created')!;
    expect(tag).toMatchObject({ target: { type: 'tag', label: 'News' }, data: { name: 'News', linkCount: 1 } });
  });

  test('attributes concurrently created links, and their new tags, to their own creators', async () => {
    const { workspaceId } = service.as();
    const callers = Array.from({ length: 8 }, () => service.as(aPrincipal(workspaceId)));
    await Promise.all(callers.map(({ aLink, by }) => aLink({ tags: [by.id] })));
    const events = await service.events(workspaceId, 16);
    for (const type of ['link.created', 'tag.created']) {
      const created = events.filter((event) => event.type === type);
      const tagOf = (data: object) => ('tags' in data ? data.tags : 'name' in data && [data.name]);
      expect(created.map(({ data }) => tagOf(data))).toEqual(created.map(({ actor }) => [actor.id]));
      expect(new Set(created.map(({ actor }) => actor.id))).toEqual(new Set(callers.map(({ by }) => by.id)));
    }
  });

  test.each([
    ['an invalid url', { url: 'ftp://example.com' }, 'url'],
    ['this service as destination', { url: 'https://go.example.com/x' }, 'url'],
    ['a private destination', { url: 'http://2130706433/' }, 'url'],
    ['an empty slug', { slug: '' }, 'slug'],
    ['a reserved slug', { slug: 'Metrics' }, 'slug'],
    ['an unverified domain', { domain: 'links.example.org' }, 'domain'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'title'],
    ['a title with a control character', { title: 'a\u0000b' }, 'title'],
    ['a description that is too long', { description: 'x'.repeat(501) }, 'description'],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
    ['a tag of 51 characters', { tags: ['x'.repeat(51)] }, 'tags.0'],
    ['a blank tag', { tags: ['  '] }, 'tags.0'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an invalid expiry', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a click limit of 0', { maxClicks: 0 }, 'maxClicks'],
    ['a click limit that is too high', { maxClicks: 1_000_000_001 }, 'maxClicks'],
  ])('rejects %s and writes nothing', async (_name, fields, field) => {
    const { aLink, workspaceId } = service.as();
    await expect(aLink(fields)).rejects.toMatchObject(invalid(field));
    expect(await service.models.links.countDocuments({ workspaceId })).toBe(0);
    expect(await service.models.tags.countDocuments({ workspaceId })).toBe(0);
  });

  test('rejects a slug that is in use in any workspace, ignoring case', async () => {
    const [one, other] = [service.as(), service.as()];
    await one.aLink({ slug: 'Taken' });
    await expect(one.aLink({ slug: 'tAKEN' })).rejects.toMatchObject({ code: 'SLUG_TAKEN', field: 'slug' });
    await expect(other.aLink({ slug: 'taken', tags: ['x'] })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect(await other.tags('ListTags', {})).toEqual({ tags: [] });
  });

  test.each([
    ['SLUG_TAKEN', { slug: 'Taken-Before' }],
    ['VALIDATION_ERROR', { domain: 'nobody.example' }],
  ])('succeeds even if a concurrent creation in the workspace is rejected with %s', async (code, fields) => {
    const { aLink } = service.as();
    await service
      .as()
      .aLink({ slug: 'taken-before' })
      .catch(() => undefined);
    const requests = [{}, {}, fields, {}].map((each) => aLink(each).catch((error: { code: string }) => error));
    const created = { status: 'active' };
    expect(await Promise.all(requests)).toMatchObject([created, created, { code }, created]);
  });

  test('gives a slug to exactly one of many concurrent requests', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, () => service.as(aPrincipal()).aLink({ slug: 'Contended', tags: ['a'] })),
    );
    const lost = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(lost).toHaveLength(11);
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'SLUG_TAKEN', field: 'slug' });
  });

  test('creates a new tag only once for links that are created concurrently, and counts every link', async () => {
    const { aLink, tags } = service.as();
    await Promise.all(Array.from({ length: 10 }, (_, i) => aLink({ tags: [i % 2 ? 'Shared' : 'sHARED', 'other'] })));
    const listed = (await tags('ListTags', {})).tags;
    expect(listed.map(({ name, linkCount }) => [name.toLowerCase(), linkCount])).toEqual([
      ['other', 10],
      ['shared', 10],
    ]);
  });

  test('matches tags ignoring case and removes duplicates', async () => {
    const { aLink } = service.as();
    await aLink({ tags: ['Größe'] });
    expect((await aLink({ tags: ['GRÖSSE', 'größe', ' GRÖßE '] })).tags).toEqual(['GRÖSSE', 'Größe']);
  });

  test('returns the same link when an operation is repeated', async () => {
    const { aLink, workspaceId } = service.as();
    const operationId = newUlid();
    const first = await aLink({ operationId, slug: 'Once-Only', tags: ['t'] });
    expect(first.id).toBe(`lnk_${operationId}`);
    expect(await aLink({ operationId, slug: 'Once-Only', tags: ['t'] })).toEqual(first);
    expect(await service.models.links.countDocuments({ workspaceId })).toBe(1);
    await expect(service.as().aLink({ operationId, slug: 'Once-Only' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  });
});
