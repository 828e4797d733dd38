import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, listAll, type ApiLink, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});

const ids = (links: ApiLink[]) => links.map(({ id }) => id);

test('an empty workspace returns an empty page', async () => {
  const { data, meta } = await api.get('/links');
  expect([data, meta.page]).toEqual([[], { limit: 50, hasMore: false }]);
});

describe('q', () => {
  let link: ApiLink;
  beforeAll(async () => {
    link = await aLink(api, {
      slug: 'Needle-1',
      title: 'Summer Sale',
      description: 'for (all) of us',
      url: 'https://shop.example.com/Path?x=100%25',
    });
    await aLink(api, { title: 'Winter' });
  });

  test.each([
    'needle',
    'SUMMER',
    'of us',
    '(all)',
    'shop.example',
    'PATH',
    'sale summer',
    'summer shop.example needle',
    '100%25',
  ])('%j matches slug, title, description or url, regardless of case', async (q) => {
    expect(ids((await api.get<ApiLink[]>(`/links?q=${encodeURIComponent(q)}`)).data)).toEqual([link.id]);
  });

  test.each(['summer winter', 'sh.p', '.*', 'absent', 'summer$'])(
    '%j matches nothing: every term must match literally',
    async (q) => {
      expect((await api.get<ApiLink[]>(`/links?q=${encodeURIComponent(q)}`)).data).toEqual([]);
    },
  );
});

describe('filters', () => {
  test('a repeated tag filter requires all tags', async () => {
    const both = await aLink(api, { tags: ['red', 'blue'] });
    const red = await aLink(api, { tags: ['red'] });
    expect(ids((await api.get<ApiLink[]>('/links?tag=red')).data)).toEqual([red.id, both.id]);
    expect(ids((await api.get<ApiLink[]>('/links?tag=red&tag=blue')).data)).toEqual([both.id]);
    expect((await api.get<ApiLink[]>('/links?tag=red&tag=absent')).data).toEqual([]);
  });

  test('status selects active, expired or archived links; any other value is rejected', async () => {
    const [active, archived] = [await aLink(api, { tags: ['by-status'] }), await aLink(api, { tags: ['by-status'] })];
    await api.patch(`/links/${archived.id}`, { status: 'archived' });
    const expired = await aLink(api, { tags: ['by-status'], maxClicks: 1 });
    await visit(stack.baseUrl, `/${expired.slug}`);
    const found = async (status: string) =>
      ids((await api.get<ApiLink[]>(`/links?tag=by-status&status=${status}`)).data);
    await eventually(async () => expect(await found('expired')).toEqual([expired.id]));
    expect([await found('active'), await found('archived')]).toEqual([[active.id], [archived.id]]);
    expect((await api.get('/links?status=deleted')).error?.field).toBe('status');
  });

  test('domain, createdBy, createdFrom and createdTo filter the list; invalid values are rejected', async () => {
    const link = await aLink(api, { tags: ['narrowed'] });
    const found = async (query: string) => ids((await api.get<ApiLink[]>(`/links?tag=narrowed&${query}`)).data);
    const { id } = link.createdBy;
    for (const query of [
      'domain=default',
      `createdBy=${id}`,
      `createdFrom=${link.createdAt}&createdTo=${link.createdAt}`,
    ])
      expect(await found(query)).toEqual([link.id]);
    for (const query of ['domain=go.example.com', 'createdBy=usr_x', 'createdFrom=2100-01-01', 'createdTo=2020-01-01'])
      expect(await found(query)).toEqual([]);
    for (const [query, field] of [
      ['domain=a%20b', 'domain'],
      ['createdFrom=soon', 'createdFrom'],
      ['createdTo=2020-13-01', 'createdTo'],
    ])
      expect((await api.get(`/links?${query}`)).error).toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('filters combine', async () => {
    const link = await aLink(api, { title: 'Combined one', tags: ['combined'] });
    await aLink(api, { title: 'Combined two', tags: ['combined'] });
    expect(ids((await api.get<ApiLink[]>('/links?tag=combined&q=one&status=active&sort=clickCount')).data)).toEqual([
      link.id,
    ]);
  });
});

describe('sort', () => {
  test.each(['sort=slug', 'order=up', 'sort=createdAt&sort=clickCount'])('%s is rejected', async (query) => {
    expect((await api.get(`/links?${query}`)).status).toBe(400);
  });

  test('by createdAt in both directions', async () => {
    const created = [];
    for (let i = 0; i < 5; i += 1) created.push((await aLink(api, { tags: ['ordered'] })).id);
    expect(ids((await api.get<ApiLink[]>('/links?tag=ordered&order=asc')).data)).toEqual(created);
    expect(ids((await api.get<ApiLink[]>('/links?tag=ordered')).data)).toEqual(created.toReversed());
  });

  test('by clickCount, and by lastClickAt with never-clicked links last, in both directions', async () => {
    const never = await aLink(api, { tags: ['clicked'] });
    const twice = await aLink(api, { tags: ['clicked'] });
    const once = await aLink(api, { tags: ['clicked'] });
    await visit(stack.baseUrl, `/${twice.slug}`);
    await visit(stack.baseUrl, `/${twice.slug}`);
    await eventually(async () => expect((await api.get<ApiLink>(`/links/${twice.id}`)).data.clickCount).toBe(2));
    await visit(stack.baseUrl, `/${once.slug}`);
    await eventually(async () => expect((await api.get<ApiLink>(`/links/${once.id}`)).data.clickCount).toBe(1));
    const sorted = async (query: string) => ids((await api.get<ApiLink[]>(`/links?tag=clicked&${query}`)).data);
    expect(await sorted('sort=clickCount')).toEqual([twice.id, once.id, never.id]);
    expect(await sorted('sort=clickCount&order=asc')).toEqual([never.id, once.id, twice.id]);
    expect(await sorted('sort=lastClickAt')).toEqual([once.id, twice.id, never.id]);
    expect(await sorted('sort=lastClickAt&order=asc')).toEqual([twice.id, once.id, never.id]);
  });
});

describe('paging', () => {
  test.each(['sort=createdAt', 'sort=clickCount', 'sort=lastClickAt'])(
    'with %s returns every link that exists throughout the paging, and none twice, while links are created, changed, deleted and clicked',
    async (sort) => {
      const tag = `walk-${sort.slice(5).toLowerCase()}`;
      const steady = [];
      for (let i = 0; i < 12; i += 1) steady.push(await aLink(api, { tags: [tag] }));
      const doomed = await aLink(api, { tags: [tag] });
      const first = await api.get<ApiLink[]>(`/links?tag=${tag}&${sort}&limit=4`);
      const clicked = steady.find(({ id }) => !ids(first.data).includes(id))!;
      await visit(stack.baseUrl, `/${clicked.slug}`);
      await visit(stack.baseUrl, `/${steady.find(({ id }) => ids(first.data).includes(id))!.slug}`);
      await eventually(async () => expect((await api.get<ApiLink>(`/links/${clicked.id}`)).data.clickCount).toBe(1));
      await api.delete(`/links/${doomed.id}`);
      await aLink(api, { tags: [tag] });
      await api.patch(`/links/${steady[5]!.id}`, { title: 'changed' });
      const returned = [...ids(first.data)];
      for (let cursor = first.meta.page!.nextCursor; cursor;) {
        const page = await api.get<ApiLink[]>(`/links?tag=${tag}&${sort}&limit=4&cursor=${cursor}`);
        returned.push(...ids(page.data));
        cursor = page.meta.page!.nextCursor;
      }
      expect(returned).toHaveLength(new Set(returned).size);
      for (const { id } of steady) expect(returned).toContain(id);
    },
  );

  test('all pages together contain every link once, with a limit of 200 or 7', async () => {
    const rows = Array.from({ length: 450 }, (_, i) => ({ url: `https://example.com/p/${i}`, tags: ['many'] }));
    expect((await api.post<{ created: number }>('/links/import', { links: rows })).data.created).toBe(450);
    for (const query of ['limit=200', 'limit=7&sort=clickCount']) {
      const listed = ids(await listAll<ApiLink>(api, `/links?tag=many&${query}`));
      expect([listed.length, new Set(listed).size]).toEqual([450, 450]);
    }
  });
});
