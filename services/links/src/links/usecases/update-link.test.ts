import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import { until } from '@tautan/kit/testing';
import { openDeps } from '../../testing/deps.js';
import { startService, type TestService } from '../../testing/service.js';
import { updateLink } from './update-link.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const past = new Date('2020-01-01T00:00:00Z');
const route = (slug: string) => service.models.routes.findById(`/${slug.toLowerCase()}`).lean();
/** Moves the expiry date of a link to the past. Its stored status does not change. */
const moveExpiryToPast = async (id: string) => {
  await service.models.links.updateOne({ _id: id }, { $set: { expiresAt: past } });
  await service.models.routes.updateOne({ linkId: id }, { $set: { expiresAt: past } });
};

describe('updating a link', () => {
  test('updates the given fields, clears those named in `clear`, and keeps the others', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({
      title: 'old',
      description: 'stays',
      maxClicks: 5,
      expiresAt: '2090-01-01T00:00:00Z',
      tags: ['a'],
    });
    await service.models.links.updateOne({ _id: link.id }, { updatedAt: past });
    const changed = await links('UpdateLink', {
      id: link.id,
      url: 'https://example.com/new',
      title: 'new',
      clear: ['maxClicks', 'expiresAt', 'tags'],
    });
    expect(changed).toMatchObject({ url: 'https://example.com/new', title: 'new', description: 'stays', tags: [] });
    expect(changed.maxClicks).toBeUndefined();
    expect(changed.expiresAt).toBeUndefined();
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(past.getTime());
    expect(await links('GetLink', { idOrSlug: link.id })).toEqual(changed);
    expect(await route(link.slug)).toMatchObject({ url: 'https://example.com/new', remaining: null, expiresAt: null });
  });

  test('emits only changed fields, with their previous and new values, and invalidates redirects immediately', async () => {
    const { aLink, links, workspaceId } = service.as();
    const link = await aLink({ title: 'same', slug: 'tell-changes' });
    await links('UpdateLink', { id: link.id, title: 'same', url: 'https://example.com/2', tags: { names: ['new'] } });
    const events = await service.events(workspaceId, 3);
    const { changes, data, target } = events.find(({ type }) => type === 'link.updated')!;
    expect(target).toEqual({ type: 'link', id: link.id, label: 'tell-changes' });
    expect(changes).toEqual({
      url: { before: 'https://example.com/page', after: 'https://example.com/2' },
      tags: { before: [], after: ['new'] },
    });
    expect(data).toMatchObject({ id: link.id, tags: ['new'], url: 'https://example.com/2' });
    expect(service.invalidated.filter((key) => key === '/tell-changes')).toHaveLength(2);
  });

  test('does not invalidate redirects if only the title changes', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ slug: 'same-redirect', expiresAt: '2090-01-01T00:00:00Z' });
    await links('UpdateLink', { id: link.id, title: 'new' });
    // Invalidations arrive in the order of the changes.
    await aLink({ slug: 'later-redirect' });
    await until(() => service.invalidated.includes('/later-redirect'));
    expect(service.invalidated.filter((key) => key === '/same-redirect')).toHaveLength(1);
  });

  test('writes and emits nothing if no field differs', async () => {
    const { aLink, links, workspaceId } = service.as();
    const link = await aLink({ title: 'same', tags: ['A', 'b'], maxClicks: 3 });
    const repeated = {
      id: link.id,
      title: 'same',
      url: link.url,
      slug: link.slug,
      tags: { names: ['B', 'a'] },
      maxClicks: 3,
      status: 'active',
    };
    expect(await links('UpdateLink', repeated)).toEqual(link);
    await links('UpdateLink', { id: link.id, title: 'other' });
    const events = await service.events(workspaceId, 4);
    expect(events.map(({ type }) => type).sort()).toEqual([
      'link.created',
      'link.updated',
      'tag.created',
      'tag.created',
    ]);
  });

  test('moves the route with the slug, and reserves the old slug', async () => {
    const [owner, other] = [service.as(), service.as()];
    const link = await owner.aLink({ slug: 'Old-Slug', maxClicks: 9 });
    await service.models.routes.updateOne({ _id: '/old-slug' }, { $inc: { remaining: -4 } });
    const moved = await owner.links('UpdateLink', { id: link.id, slug: 'New-Slug' });
    expect(moved).toMatchObject({ slug: 'New-Slug', shortUrl: 'https://go.example.com/New-Slug' });
    expect(await route('new-slug')).toMatchObject({ linkId: link.id, status: 'active', remaining: 5 });
    expect(await route('old-slug')).toMatchObject({ status: 'deleted', workspaceId: owner.workspaceId });
    const [, updated] = await service.events(owner.workspaceId, 2);
    expect(updated).toMatchObject({ type: 'link.updated', target: { id: link.id, label: 'New-Slug' } });
    // Once for the creation and once for the move.
    await until(() => service.invalidated.filter((key) => key === '/old-slug').length === 2);
    expect(service.invalidated).toContain('/new-slug');
    await expect(other.aLink({ slug: 'old-slug' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect((await owner.aLink({ slug: 'old-slug' })).slug).toBe('old-slug');
  });

  test('changes the case of a slug in place', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ slug: 'some-case' });
    expect((await links('UpdateLink', { id: link.id, slug: 'SOME-case' })).slug).toBe('SOME-case');
    expect(await route('some-case')).toMatchObject({ status: 'active', linkId: link.id });
  });

  test('rejects a slug in use and does not change the link', async () => {
    const { aLink, links } = service.as();
    const [link] = [
      await aLink({ slug: 'mine-1' }),
      await aLink({ slug: 'mine-2' }),
      await service.as().aLink({ slug: 'theirs' }),
    ];
    for (const slug of ['Mine-2', 'Theirs']) {
      await expect(
        links('UpdateLink', { id: link.id, slug, title: 'x', tags: { names: ['x'] } }),
      ).rejects.toMatchObject({ code: 'SLUG_TAKEN', field: 'slug' });
    }
    expect(await links('GetLink', { idOrSlug: link.id })).toEqual(link);
  });

  test('applies every field of concurrent updates', async () => {
    const { aLink, links } = service.as();
    const link = await aLink();
    await Promise.all([
      links('UpdateLink', { id: link.id, title: 'T' }),
      links('UpdateLink', { id: link.id, description: 'D' }),
      links('UpdateLink', { id: link.id, tags: { names: ['x'] } }),
      links('UpdateLink', { id: link.id, maxClicks: 7 }),
      ...Array.from({ length: 5 }, () => service.models.links.updateOne({ _id: link.id }, { $inc: { clickCount: 1 } })),
    ]);
    const merged = await links('GetLink', { idOrSlug: link.id });
    expect(merged).toMatchObject({ title: 'T', description: 'D', tags: ['x'], maxClicks: 7, clickCount: 5 });
  });

  test('updates the counts of added and removed tags', async () => {
    const { aLink, links, tags } = service.as();
    const link = await aLink({ tags: ['a', 'b'] });
    await aLink({ tags: ['b', 'd'] });
    await links('UpdateLink', { id: link.id, tags: { names: ['B', 'c', 'D'] } });
    const counts = (await tags('ListTags', {})).tags.map(({ name, linkCount }) => [name, linkCount]);
    expect(counts).toEqual([
      ['a', 0],
      ['b', 2],
      ['c', 1],
      ['d', 2],
    ]);
  });

  test('changes the status of a link and of its route', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ slug: 'to-archive' });
    for (const status of ['archived', 'expired', 'active']) {
      expect((await links('UpdateLink', { id: link.id, status })).status).toBe(status);
      expect((await route('to-archive'))?.status).toBe(status);
    }
  });

  test('rejects activating a link past its expiry date, unless the same update clears the date', async () => {
    const { aLink, links } = service.as();
    const { id } = await aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    await links('UpdateLink', { id, status: 'archived' });
    await moveExpiryToPast(id);
    const activate = { id, status: 'active' };
    await expect(links('UpdateLink', activate)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'expiresAt' });
    expect((await links('UpdateLink', { ...activate, clear: ['expiresAt'] })).status).toBe('active');
  });

  test('rejects activating a used-up link until its limit is raised', async () => {
    const { aLink, links } = service.as();
    const { id, slug } = await aLink({ maxClicks: 2 });
    await service.models.routes.updateOne({ linkId: id }, { $set: { remaining: 0 } });
    const activate = { id, status: 'active' };
    await expect(links('UpdateLink', activate)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'maxClicks' });
    expect((await links('GetLink', { idOrSlug: id })).status).toBe('expired');
    expect((await links('UpdateLink', { id, maxClicks: 3 })).status).toBe('expired');
    expect((await links('UpdateLink', activate)).status).toBe('active');
    expect(await route(slug)).toMatchObject({ status: 'active', maxClicks: 3, remaining: 1 });
  });

  test('keeps the number of used clicks when the limit is lowered below it and raised again', async () => {
    const { aLink, links } = service.as();
    const { id, slug } = await aLink({ maxClicks: 10 });
    await service.models.routes.updateOne({ linkId: id }, { $set: { remaining: 2 } });
    expect((await links('UpdateLink', { id, maxClicks: 5 })).status).toBe('expired');
    expect((await links('UpdateLink', { id, maxClicks: 10, status: 'active' })).status).toBe('active');
    expect(await route(slug)).toMatchObject({ status: 'active', maxClicks: 10, remaining: 2 });
  });

  test('immediately expires a link whose new limit is already used up, and emits a separate event', async () => {
    const { aLink, links, workspaceId } = service.as();
    const { id } = await aLink();
    await service.models.links.updateOne({ _id: id }, { $set: { clickCount: 5 } });
    expect(await links('UpdateLink', { id, maxClicks: 5 })).toMatchObject({ status: 'expired', maxClicks: 5 });
    const [, updated, expired] = await service.events(workspaceId, 3);
    expect(updated).toMatchObject({ type: 'link.updated', changes: { maxClicks: { before: null, after: 5 } } });
    expect(expired).toMatchObject({
      type: 'link.expired',
      actor: { type: 'system', id: null },
      changes: { status: { before: 'active', after: 'expired' } },
    });
  });

  test('reports `expired` for a link whose new limit is used up, even if the expiry cannot be stored', async () => {
    const { aLink, links, by } = service.as();
    const { id, slug } = await aLink();
    await service.models.links.updateOne({ _id: id }, { $set: { clickCount: 5 } });
    const opened = await openDeps(service.settings);
    const timeout = fail('TIMEOUT', 'The request timed out. Nothing was changed.');
    const transact: Transact = (principal, work) =>
      principal === null ? Promise.reject(timeout) : opened.deps.transact(principal, work);
    const updated = await updateLink({ ...opened.deps, transact }, by, { id, maxClicks: 5, clear: [] });
    await opened.close();
    expect(updated).toMatchObject({ id, status: 'expired', maxClicks: 5 });
    expect(await route(slug)).toMatchObject({ status: 'active', maxClicks: 5, remaining: 0 });
    expect(await links('GetLink', { idOrSlug: id })).toMatchObject({ status: 'expired', maxClicks: 5 });
  });

  test('first expires the link if its expiry date has passed, and a new date does not activate it', async () => {
    const { aLink, links, workspaceId } = service.as();
    const { id } = await aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    await moveExpiryToPast(id);
    expect((await links('UpdateLink', { id, expiresAt: '2091-01-01T00:00:00Z' })).status).toBe('expired');
    const types = (await service.events(workspaceId, 3)).map(({ type }) => type);
    expect(types).toEqual(['link.created', 'link.expired', 'link.updated']);
  });
});
