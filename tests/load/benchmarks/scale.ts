import { MongoClient, type Db } from 'mongodb';
import { aLink, apiClient, type ApiLink, type ApiResponse, type Client } from '../../support/client.js';
import { visit } from '../../support/visitor.js';
import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { copyLink } from '../seed.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';

const LINKS = 1_000_000;
const PAGE = 50;
/** Maximum number of links that one search request examines. */
const SEARCH_BOUND = 100_000;

/** Measures a cache miss, pages 1 and 1,000 of a list, and a search, all of them with a million stored links. */
export async function scale(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const { mongodb } = await stack.quickstart();
  const client = new MongoClient(mongodb.uri);
  bench.atEnd(() => client.close());
  const db = client.db('tautan_links');
  const api = apiClient(stack);
  bench.say(`seeding ${LINKS.toLocaleString('en')} links`);
  const began = performance.now();
  const { slug } = await aLink(api);
  const slugs = await copyLink(db, slug, LINKS - 1);
  bench.say(`seeded in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return [...(await cacheMisses(stack, db, slugs)), ...(await pages(bench, api)), ...(await search(api))];
}

async function cacheMisses(stack: Stack, db: Db, slugs: string[]): Promise<Figure[]> {
  const wanted = Array.from({ length: 200 }, (_, i) => slugs[i * Math.floor(slugs.length / 200)]!);
  await visit(stack.baseUrl, `/${slugs.at(-1)}`);
  const before = await examined(db);
  const times = [];
  for (const slug of wanted) {
    const at = performance.now();
    const { status } = await visit(stack.baseUrl, `/${slug}`);
    if (status !== 302) throw new Error(`a link responded with ${status}`);
    times.push(performance.now() - at);
  }
  const after = await examined(db);
  const hits = await timed(200, () => visit(stack.baseUrl, `/${wanted[0]}`));
  const plan = await db
    .collection<{ _id: string }>('redirects')
    .find({ _id: `/${wanted[0]}` })
    .explain('executionStats');
  const { totalDocsExamined } = plan['executionStats'] as { totalDocsExamined: number };
  return [
    {
      label: 'documents examined by a cache miss',
      value: Number.isNaN(after) ? totalDocsExamined : Math.round((after - before) / wanted.length),
      unit: '',
      bound: { exactly: 1 },
      note: Number.isNaN(after)
        ? 'according to the explained query'
        : `${after - before} documents by ${wanted.length} misses; according to the explained query: ${totalDocsExamined}`,
    },
    { label: 'a cache miss', value: median(times), unit: 'ms', baseline: { label: 'a hit', value: median(hits) } },
  ];
}

async function pages(bench: Bench, api: Client): Promise<Figure[]> {
  const first = `/links?limit=${PAGE}`;
  let thousandth = first;
  bench.say('reading pages up to 1,000');
  for (let page = 1; page < 1_000; page += 1) {
    const { meta, status } = await api.get<ApiLink[]>(thousandth);
    if (status !== 200 || !meta.page?.hasMore)
      throw new Error(`page ${page} is the last one, or responded with ${status}`);
    thousandth = `${first}&cursor=${encodeURIComponent(meta.page.nextCursor!)}`;
  }
  const early: number[] = [];
  const late: number[] = [];
  for (let i = 0; i < (bench.quick ? 100 : 300); i += 1) {
    early.push(...(await timed(1, () => page(api, first))));
    late.push(...(await timed(1, () => page(api, thousandth))));
  }
  return [
    {
      label: 'list page 1,000',
      value: median(late),
      unit: 'ms',
      baseline: { label: 'page 1', value: median(early) },
      bound: { atMost: 1.5 },
    },
  ];
}

async function page(api: Client, path: string): Promise<void> {
  const { status, data } = await api.get<ApiLink[]>(path);
  if (status !== 200 || data.length !== PAGE)
    throw new Error(`a page responded with ${status} and ${data?.length ?? 'no'} links`);
}

/** Measures every request of a search without results, which examines all links. */
async function search(api: Client): Promise<Figure[]> {
  const times: number[] = [];
  const path = '/links?q=nothing-like-this';
  for (let next: string | undefined = path; next;) {
    const at = performance.now();
    const { status, data, meta }: ApiResponse<ApiLink[]> = await api.get<ApiLink[]>(next);
    times.push(performance.now() - at);
    if (status !== 200 || data.length > 0)
      throw new Error(`the search responded with ${status} and ${data?.length ?? 'no'} links`);
    const nextCursor: string | undefined = meta.page!.nextCursor;
    next = nextCursor && `${path}&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return [
    {
      label: 'links examined by one search request',
      value: LINKS / times.length,
      unit: '',
      bound: { atMost: SEARCH_BOUND },
      note: `a search without results takes ${times.length} requests; each except the last returns an empty page with a cursor`,
    },
    {
      label: 'the slowest search request',
      value: Math.max(...times),
      unit: 'ms',
      note: `median ${median(times).toFixed(0)} ms`,
    },
  ];
}

/** Returns the number of documents that the server has examined since its start, or NaN if that is not reported. */
async function examined(db: Db): Promise<number> {
  const { metrics } = await db.admin().serverStatus();
  const scanned = (metrics as { queryExecutor?: { scannedObjects?: unknown } }).queryExecutor?.scannedObjects;
  return scanned === undefined ? NaN : Number(scanned);
}

async function timed(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const durations = [];
  for (let i = 0; i < times; i += 1) {
    const at = performance.now();
    await work();
    durations.push(performance.now() - at);
  }
  return durations;
}
