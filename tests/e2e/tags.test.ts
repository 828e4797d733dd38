import { beforeAll, describe, expect, test } from '@jest/globals';
import { aLink, apiClient, type ApiLink, type ApiResponse, type ApiTag, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const tags = async () => (await api.get<ApiTag[]>('/tags')).data;
const named = async (name: string) => (await tags()).find((tag) => tag.name === name);

test('a workspace without tags returns an empty list', async () => {
  expect(await tags()).toEqual([]);
});

test('a tag has id, name, counts and times', async () => {
  const { status, data } = await api.post<ApiTag>('/tags', { name: '  Launch ' });
  expect(status).toBe(201);
  expect(data).toEqual({
    id: expect.stringMatching(/^tag_/),
    name: 'Launch',
    linkCount: 0,
    qrCodeCount: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
});

test('the list is sorted by name and complete', async () => {
  for (const name of ['zeta', 'Eta', 'beta']) await api.post('/tags', { name });
  const names = (await tags()).map(({ name }) => name);
  expect(names).toEqual(['beta', 'Eta', 'Launch', 'zeta']);
});

test('a name that differs from an existing one only in case is rejected with TAG_EXISTS', async () => {
  expect(errorOf(await api.post('/tags', { name: 'LAUNCH' }))).toEqual([409, 'TAG_EXISTS', 'name']);
  const { id } = (await named('beta'))!;
  expect(errorOf(await api.patch(`/tags/${id}`, { name: 'launch' }))).toEqual([409, 'TAG_EXISTS', 'name']);
});

test.each(['', '   ', 'x'.repeat(51), 5, null, undefined, 'a\u0007b'])('name %j is rejected', async (name) => {
  expect(errorOf(await api.post('/tags', { name }))).toEqual([400, 'VALIDATION_ERROR', 'name']);
});

test('renaming a tag keeps its id and updates its links', async () => {
  const link = await aLink(api, { tags: ['old-name'] });
  const { id } = (await named('old-name'))!;
  const { data } = await api.patch<ApiTag>(`/tags/${id}`, { name: 'new-name' });
  expect([data.id, data.name, data.linkCount]).toEqual([id, 'new-name', 1]);
  expect((await api.get<ApiLink>(`/links/${link.id}`)).data.tags).toEqual(['new-name']);
  expect((await api.patch<ApiTag>(`/tags/${id}`, { name: 'New-Name' })).data.name).toBe('New-Name');
});

test('deleting a tag removes it from its links, which remain', async () => {
  const link = await aLink(api, { tags: ['doomed', 'kept'] });
  const { id } = (await named('doomed'))!;
  expect((await api.delete(`/tags/${id}`)).data).toEqual({ id, deleted: true });
  expect((await api.get<ApiLink>(`/links/${link.id}`)).data.tags).toEqual(['kept']);
  expect((await api.delete(`/tags/${id}`)).status).toBe(404);
});

describe('linkCount', () => {
  test('changes when links are created, updated, deleted or changed in bulk', async () => {
    const count = async () => (await named('counted'))?.linkCount;
    const a = await aLink(api, { tags: ['counted'] });
    const b = await aLink(api, { tags: ['Counted'] });
    expect(await count()).toBe(2);
    await api.patch(`/links/${a.id}`, { tags: [] });
    expect(await count()).toBe(1);
    await api.post('/links/bulk', { action: 'addTag', ids: [a.id, b.id], tag: 'counted' });
    expect(await count()).toBe(2);
    await api.post('/links/bulk', { action: 'removeTag', ids: [b.id], tag: 'counted' });
    expect(await count()).toBe(1);
    await api.delete(`/links/${a.id}`);
    expect(await count()).toBe(0);
  });

  test('stays exact under concurrency', async () => {
    await Promise.all(Array.from({ length: 30 }, () => aLink(api, { tags: ['crowd'] })));
    expect((await named('crowd'))!.linkCount).toBe(30);
  });
});

test("filters accept a tag's name or id", async () => {
  const link = await aLink(api, { tags: ['by-either'] });
  const { id } = (await named('by-either'))!;
  for (const tag of ['by-either', 'BY-Either', id]) {
    expect((await api.get<ApiLink[]>(`/links?tag=${tag}`)).data.map((found) => found.id)).toEqual([link.id]);
  }
});
