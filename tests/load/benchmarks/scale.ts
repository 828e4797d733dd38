import { MongoClient, type Db } from 'mongodb';
import { aLink, apiClient, type ApiLink, type Client } from '../../support/client.js';
import { visit } from '../../support/visitor.js';
import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { copyLink } from '../seed.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';

const LINKS = 1_000_000;
const PAGE = 50;
/** Links that one request of a search may look at. */
const SEARCH_BOUND = 100_000;

/** A million links: what a cache miss, a list's pages and a search cost then. */
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
  return [
    ...(await cacheMisses(stack, db, slugs)),
    ...(await pages(bench, api)),
    ...(await search(bench, api, db)), // prettier-ignore
  ];
}

async function cacheMisses(stack: Stack, db: Db, slugs: string[]): Promise<Figure[]> {
  const wanted = Array.from({ length: 200 }, (_, i) => slugs[i * 4_999]!);
  await visit(stack.baseUrl, `/${slugs.at(-1)}`);
  const before = await examined(db);
  const times = [];
  for (const slug of wanted) {
    const at = performance.now();
    const { status } = await visit(stack.baseUrl, `/${slug}`);
    if (status !== 302) throw new Error(`a link answers ${status}`);
    times.push(performance.now() - at);
  }
  const after = await examined(db);
  const hits = await timed(200, () => visit(stack.baseUrl, `/${wanted[0]}`));
  const plan = await db.collection<{ _id: string }>('redirects').find({ _id: `/${wanted[0]}` }).explain('executionStats'); // prettier-ignore
  const { totalDocsExamined } = plan['executionStats'] as { totalDocsExamined: number };
  return [
    {
      what: 'documents examined by a cache miss',
      value: Math.max(totalDocsExamined, Math.round((after.documents - before.documents) / wanted.length)),
      unit: '',
      bound: { exactly: 1 },
      note: `${after.documents - before.documents} documents by ${wanted.length} misses`,
    },
    { what: 'a cache miss', value: median(times), unit: 'ms', baseline: { what: 'a hit', value: median(hits) } },
  ];
}

async function pages(bench: Bench, api: Client): Promise<Figure[]> {
  const first = `/links?limit=${PAGE}`;
  let thousandth = first;
  bench.say('walking to page 1,000');
  for (let page = 1; page < 1_000; page += 1) {
    const { meta, status } = await api.get<ApiLink[]>(thousandth);
    if (status !== 200 || !meta.page?.hasMore) throw new Error(`page ${page} answers ${status}`);
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
      what: 'list page 1,000',
      value: median(late),
      unit: 'ms',
      baseline: { what: 'page 1', value: median(early) },
      bound: { atMost: 1.5 },
    },
  ];
}

async function page(api: Client, path: string): Promise<void> {
  const { status, data } = await api.get<ApiLink[]>(path);
  if (status !== 200 || data.length !== PAGE) throw new Error(`a page answers ${status}`);
}

/** A search that finds nothing looks at the most. */
async function search(bench: Bench, api: Client, db: Db): Promise<Figure[]> {
  const times: number[] = [];
  const documents: number[] = [];
  for (let i = 0; i < (bench.quick ? 2 : 4); i += 1) {
    const before = await examined(db);
    const at = performance.now();
    const { status, meta } = await api.get<ApiLink[]>(`/links?q=nothing-like-this-${i}`);
    times.push(performance.now() - at);
    const after = await examined(db);
    if (status !== 200 || !meta.page) throw new Error(`the search answers ${status}`);
    if (!meta.page.hasMore) throw new Error('the search says that it saw all links');
    documents.push(after.documents - before.documents);
  }
  return [
    {
      what: 'links examined by one search',
      value: Math.max(...documents),
      unit: '',
      bound: { atMost: SEARCH_BOUND },
      note: 'of one that finds nothing; it answers an empty page, hasMore and a cursor to go on from',
    },
    {
      what: 'the longest search',
      value: Math.max(...times),
      unit: 'ms',
      note: `median ${median(times).toFixed(0)} ms`,
    },
  ];
}

/** What the server says to have looked at since its start. */
async function examined(db: Db): Promise<{ documents: number; keys: number }> {
  const { metrics } = await db.admin().serverStatus();
  const { scannedObjects, scanned } = (metrics as { queryExecutor: Record<string, number> }).queryExecutor;
  return { documents: Number(scannedObjects), keys: Number(scanned) };
}

async function timed(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    const at = performance.now();
    await work();
    taken.push(performance.now() - at);
  }
  return taken;
}
