import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Tautan } from './client.js';
import { ok, refuse, startServer, type TestServer } from './testing/server.js';

let server: TestServer;
let tautan: Tautan;

beforeAll(async () => {
  server = await startServer();
  tautan = new Tautan({ baseUrl: server.url, credential: 'tau_live_x', retry: { initialDelayMs: 1 } });
});
afterAll(() => server.stop());

const page = (ids: string[], nextCursor?: string) =>
  ok(
    ids.map((id) => ({ id })),
    { limit: 2, hasMore: nextCursor !== undefined, nextCursor },
  );
const threePages = [page(['a', 'b'], 'one'), page([], 'two'), page(['c'])] as const;
const paths = () => server.seen.map(({ path }) => path);

test('iterates over all entries and sends the query with every page request', async () => {
  server.answer(...threePages);
  const ids: string[] = [];
  for await (const link of tautan.list('/links', { query: { status: 'active' } })) ids.push(link.id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(paths()).toEqual([
    '/links?status=active',
    '/links?status=active&cursor=one',
    '/links?status=active&cursor=two',
  ]);
});

test('does not prefetch pages, and requests no more pages after a break', async () => {
  server.answer(...threePages);
  for await (const _ of tautan.list('/links')) break;
  expect(paths()).toEqual(['/links']);
});

test('iterates over pages', async () => {
  server.answer(...threePages);
  const sizes: number[] = [];
  for await (const { data } of tautan.list('/links').pages()) sizes.push(data.length);
  expect(sizes).toEqual([2, 0, 1]);
});

test('toArray returns all entries, or at most the given number', async () => {
  server.answer(...threePages);
  expect(await tautan.list('/links').toArray()).toHaveLength(3);
  server.answer(...threePages);
  expect((await tautan.list('/links').toArray(2)).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(await tautan.list('/links').toArray(0)).toEqual([]);
  expect(paths()).toEqual(['/links']);
});

test('a page that fails once is requested again', async () => {
  server.answer(page(['a'], 'one'), refuse(503, 'SERVICE_UNAVAILABLE'), page(['b']));
  expect(await tautan.list('/links').toArray()).toHaveLength(2);
});

test('throws if the next cursor of a page leads to the same page', async () => {
  server.answer(page(['a'], 'one'));
  await expect(tautan.list('/links').toArray()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  expect(server.seen).toHaveLength(2);
});
