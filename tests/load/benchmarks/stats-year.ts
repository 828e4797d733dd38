import { BSON, MongoClient, type Collection, type Db } from 'mongodb';
import type { Principal } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { eventually } from '@tautan/kit/testing';
import { rpcServices } from '@tautan/proto/rpc';
import type { Bench, Started } from '../bench.js';
import { ClickStream } from '../click-stream.js';
import type { Figure } from '../figure.js';
import { collectGarbage, cpuSeconds } from '../memory.js';
import { seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { median } from '../statistics.js';

export const DAY_MS = 86_400_000;
const DAYS = 365;
const CLICKS_PER_DAY = 27_400;
/**
 * Maximum size of the statistics. They take 82.3 MB if no day is closed (see `closeDays`), and closing all days may add
 * at most half of that.
 */
const MAX_MB = 123;

/** A stored day or quarter hour. */
export interface Period {
  _id: string;
  closed?: unknown;
}

interface Link {
  _id: string;
  workspaceId: string;
}

interface Query {
  tz?: string;
  granularity: string;
}

/** The measured queries for a year of statistics, keyed by their label in the table of results. */
const yearQueries: Record<string, Query> = {
  'months in UTC': { granularity: 'month' },
  'days in UTC': { granularity: 'day' },
  'months in Asia/Jakarta': { tz: 'Asia/Jakarta', granularity: 'month' },
  'days in Asia/Jakarta': { tz: 'Asia/Jakarta', granularity: 'day' },
  'days in Asia/Kolkata': { tz: 'Asia/Kolkata', granularity: 'day' },
  'days in America/New_York': { tz: 'America/New_York', granularity: 'day' },
  'hours in Asia/Kolkata': { tz: 'Asia/Kolkata', granularity: 'hour' },
};

/**
 * Measures the statistics of a link with ten million clicks in a year. The service writes and closes one day, which is
 * copied to all others. In time zones other than UTC, the year begins and ends in the middle of a stored (UTC) day.
 */
export async function statsYear(bench: Bench): Promise<Figure[]> {
  const { uri } = await startDatabase(bench);
  const dependencies: Dependencies = { mongodb: uri, nats: await startBus(bench) };
  await seedThroughService(bench, dependencies, 1);
  const mongo = new MongoClient(uri);
  bench.atEnd(() => mongo.close());
  const db = mongo.db('tautan_links');
  const link = (await db.collection<Link>('links').findOne({}))!;
  const periods = periodsOf(db);
  const last = aClosedDay();
  await writeDay(bench, dependencies, periods, link, last);
  const bytes = await copyDay(periods, link._id, last);
  const api = await startLinks(bench, dependencies, 'api');
  const runQuery = queryYear(bench, api, link, last);
  const figures: Figure[] = [];
  for (const [label, query] of Object.entries(yearQueries))
    figures.push(await timed(bench, api, label, () => runQuery(query)));
  const size = { label: 'size of these statistics', value: bytes / 2 ** 20, unit: 'MB', bound: { atMost: MAX_MB } };
  return [...figures, { ...size, note: `${(bytes / (DAYS * CLICKS_PER_DAY)).toFixed(1)} bytes per click` }];
}

/** Returns the collections of days and quarter hours. */
export const periodsOf = (db: Db): Collection<Period>[] =>
  ['stats_days', 'stats_quarters'].map((name) => db.collection<Period>(name));

/** Returns the start, in Unix milliseconds, of a past day that the service closes. */
export const aClosedDay = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;

/** Returns a function that queries the year that ends with the day `last`, and checks the number of clicks. */
function queryYear(bench: Bench, api: Started, link: Link, last: number) {
  const client = rpcClient(rpcServices.stats, { address: `127.0.0.1:${api.ports['grpc']}` });
  bench.atEnd(async () => client.close());
  const principal: Principal = {
    workspaceId: link.workspaceId,
    kind: 'api_key',
    id: 'key_bench',
    name: 'bench',
    role: 'admin',
    plan: 'UNLIMITED',
    ip: null,
    userAgent: null,
    requestId: 'req_bench',
  };
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const range = { idOrSlug: link._id, from: day(last - (DAYS - 1) * DAY_MS), to: day(last) };
  return async (query: Query): Promise<void> => {
    const { totals } = await client.call(
      'GetLinkStats',
      { ...range, ...query, packedSeries: true },
      { principal, requestId: 'req_bench', timeoutMs: 30_000 },
    );
    if (totals?.clicks === undefined || Math.abs(totals.clicks / (DAYS * CLICKS_PER_DAY) - 1) > 0.01)
      throw new Error(`unexpected number of clicks in the year: ${totals?.clicks}`);
  };
}

async function timed(bench: Bench, api: Started, label: string, runQuery: () => Promise<void>): Promise<Figure> {
  const queries = bench.quick ? 100 : 300;
  for (let i = 0; i < 20; i += 1) await runQuery();
  const durations: number[] = [];
  const before = cpuSeconds(api.pid);
  for (let i = 0; i < queries; i += 1) {
    // Otherwise, this process collects the garbage of about twenty responses while it waits for the next one.
    if (i % 10 === 0) collectGarbage();
    const startedAt = performance.now();
    await runQuery();
    durations.push(performance.now() - startedAt);
  }
  const cpuMs = ((cpuSeconds(api.pid) - before) / queries) * 1_000;
  durations.sort((a, b) => a - b);
  return {
    label: `p99 of a link's year, 10 million clicks: ${label}`,
    value: durations[Math.floor(queries * 0.99)]!,
    unit: 'ms',
    bound: { atMost: 50 },
    note: `p50 ${median(durations).toFixed(1)} ms; CPU time of the service ${cpuMs.toFixed(1)} ms`,
  };
}

/** Publishes the clicks of a link on a day, and waits until the service has counted them and closed the day. */
async function writeDay(
  bench: Bench,
  dependencies: Dependencies,
  periods: Collection<Period>[],
  link: Link,
  day: number,
): Promise<void> {
  const stream = await ClickStream.open(dependencies.nats, link.workspaceId, [link._id]);
  bench.atEnd(() => stream.close());
  await publishDay(stream, day);
  const consumer = await startLinks(bench, dependencies, 'stats');
  await stream.drained();
  await untilDayClosed(periods, link._id, day);
  await consumer.stop();
}

const STEPS = 200;

/** Publishes the clicks of a day. */
export async function publishDay(stream: ClickStream, day: number): Promise<void> {
  for (let i = 0; i < STEPS; i += 1) await stream.publish(CLICKS_PER_DAY / STEPS, day + (i * DAY_MS) / STEPS, 20_000);
}

/** Resolves when the service has closed a day of a link. */
export const untilDayClosed = ([days]: Collection<Period>[], link: string, day: number): Promise<void> =>
  eventually(async () => {
    const closed = await days!.findOne({ _id: `${nameOf(link, day)}/tally`, closed: { $exists: true } });
    if (!closed) throw new Error('the day is not closed yet');
  }, 120_000);

const nameOf = (link: string, ms: number): string => `${link}/${new Date(ms).toISOString().slice(0, 10)}`;

/** Copies a link's day to the 364 days before it. Returns the size of the whole year in bytes. */
export async function copyDay(collections: Collection<Period>[], link: string, day: number): Promise<number> {
  const name = nameOf(link, day);
  let bytes = 0;
  for (const periods of collections) {
    // In ASCII, `0` directly follows `/`, so the range contains the name itself, which is the id of the day's document,
    // and all ids that start with the name and a slash.
    const found = await periods.find({ _id: { $gte: name, $lt: `${name}0` } }).toArray();
    bytes += DAYS * found.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
    for (let back = 1; back < DAYS; back += 1) {
      const copy = nameOf(link, day - back * DAY_MS);
      await periods.insertMany(found.map((document) => ({ ...document, _id: document._id.replace(name, copy) })));
    }
  }
  return bytes;
}
