import { BSON, MongoClient, type Db } from 'mongodb';
import type { Principal } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { eventually } from '@tautan/kit/testing';
import type { Bench, Started } from '../bench.js';
import { ClickStream } from '../click-stream.js';
import type { Figure } from '../figure.js';
import { watchMemory, cpuSeconds } from '../memory.js';
import { seedThroughService, startLinks, type Neighbours } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { median } from '../statistics.js';
import { rpcServices } from '@tautan/proto/rpc';

const LINKS = 10_000;
const RATE = 5_000;
const TICK_MS = 50;

/** One process that applies clicks: a burst of a steady rate, and what it does when it is behind. */
export async function stats(bench: Bench): Promise<Figure[]> {
  const database = await startDatabase(bench);
  const neighbours: Neighbours = { mongodb: database.uri, nats: await startBus(bench) };
  bench.say(`seeding ${LINKS.toLocaleString('en')} links`);
  await seedThroughService(bench, neighbours, LINKS);
  const client = new MongoClient(database.uri);
  bench.atEnd(() => client.close());
  const links = client.db('tautan_links').collection<{ _id: string; workspaceId: string; clickCount: number }>('links');
  const all = await links.find({}, { projection: { workspaceId: 1 } }).toArray();
  const stream = await ClickStream.open(neighbours.nats, all[0]!.workspaceId, all.map(({ _id }) => _id)); // prettier-ignore
  bench.atEnd(() => stream.close());
  const counted = async (): Promise<number> => {
    const [sum] = await links.aggregate<{ clicks: number }>([{ $group: { _id: null, clicks: { $sum: '$clickCount' } } }]).toArray(); // prettier-ignore
    return sum!.clicks;
  };

  const consumer = await startLinks(bench, neighbours, 'stats');
  const stopWatching = watchMemory([consumer.pid]);
  const seconds = bench.quick ? 10 : 30;
  const burst = await steady(bench, stream, seconds, [consumer, database.process]);
  bench.say(`lag ${burst.lagSeconds.toFixed(2)} s after the burst; ${burst.note}`);
  await consumer.stop();

  const backlog = bench.quick ? 50_000 : 150_000;
  for (let sent = 0; sent < backlog; sent += 4_000) await stream.publish(Math.min(4_000, backlog - sent), Date.now(), 50_000); // prettier-ignore
  const began = performance.now();
  const second = await startLinks(bench, neighbours, 'stats');
  const stopSecond = watchMemory([second.pid]);
  await drained(stream);
  const took = (performance.now() - began) / 1_000;
  const highest = Math.max(...stopWatching(), ...stopSecond());
  const missing = (await counted()) - seconds * RATE - backlog;
  const year = await readYear(bench, neighbours, stream, client.db('tautan_links'), all[0]!);
  return [
    { what: 'lag after a burst at 5,000 clicks/s', value: burst.lagSeconds, unit: 's', bound: { atMost: 5 }, note: burst.note }, // prettier-ignore
    { what: 'clicks counted, less those sent', value: missing, unit: '', bound: { exactly: 0 } }, // prettier-ignore
    { what: 'clicks applied out of a backlog', value: backlog / took, unit: '/s', bound: { atLeast: RATE }, note: 'the start of the process included' }, // prettier-ignore
    { what: 'resident memory', value: highest, unit: 'MB', bound: { atMost: 300 } },
    ...year,
  ];
}

/** Publishes at the bound's rate, and waits until everything is applied. */
async function steady(bench: Bench, stream: ClickStream, seconds: number, processes: (Started | undefined)[]) {
  const running = processes.filter((each) => each !== undefined);
  const before = running.map(({ pid }) => cpuSeconds(pid));
  const began = performance.now();
  for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick += 1) {
    const wait = began + tick * TICK_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await stream.publish((RATE * TICK_MS) / 1_000, Date.now(), 50_000);
  }
  const sentIn = (performance.now() - began) / 1_000;
  if (sentIn > seconds * 1.1) bench.say(`the burst took ${sentIn.toFixed(1)} s instead of ${seconds} s`);
  const lag = await stream.lag();
  const ended = performance.now();
  await drained(stream);
  const costs = running.map(({ pid }, i) => Math.round(((cpuSeconds(pid) - before[i]!) / (seconds * RATE)) * 1e6));
  return {
    lagSeconds: (performance.now() - ended) / 1_000,
    note: `${Math.round((seconds * RATE) / sentIn)} clicks/s for ${seconds} s over ${LINKS} links, ${lag} batches behind at its end; processor time of a click: consumer, engine ${costs.join(', ')} µs`,
  };
}

const drained = (stream: ClickStream): Promise<void> =>
  eventually(
    async () => {
      const lag = await stream.lag();
      if (lag > 0) throw new Error(`${lag} batches are not applied yet`);
    },
    120_000,
    50,
  );

const DAY_MS = 86_400_000;
const DAYS = 365;
const CLICKS_A_DAY = 27_400;

interface Link {
  _id: string;
  workspaceId: string;
}

/** A link with ten million clicks in a year: one day as the service writes it, and that day again for each of the others. */
async function readYear(
  bench: Bench,
  neighbours: Neighbours,
  stream: ClickStream,
  db: Db,
  link: Link,
): Promise<Figure[]> {
  const last = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  const steps = 200;
  const own = await ClickStream.open(neighbours.nats, link.workspaceId, [link._id]);
  bench.atEnd(() => own.close());
  for (let i = 0; i < steps; i += 1) await own.publish(CLICKS_A_DAY / steps, last + (i * DAY_MS) / steps, 20_000);
  // The day that is copied is over, as all but one of a year are.
  await own.publish(CLICKS_A_DAY / steps, last + DAY_MS, 20_000);
  const consumer = await startLinks(bench, neighbours, 'stats');
  await drained(stream);
  await consumer.stop();
  const bytes = await copyDay(db, link._id, last);
  const api = await startLinks(bench, neighbours, 'api');
  const client = rpcClient(rpcServices.stats, { address: `127.0.0.1:${api.addresses['grpc']}` });
  const principal: Principal = { workspaceId: link.workspaceId, kind: 'api_key', id: 'key_bench', name: 'bench', role: 'admin', plan: 'UNLIMITED', ip: null, userAgent: null, requestId: 'req_bench' }; // prettier-ignore
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const range = { idOrSlug: link._id, from: day(last - (DAYS - 1) * DAY_MS), to: day(last) };
  const ask = async (more: { tz?: string; granularity?: string }): Promise<number> => {
    const began = performance.now();
    const { totals } = await client.call('GetLinkStats', { ...range, ...more }, { principal, requestId: 'req_bench', timeoutMs: 30_000 }); // prettier-ignore
    if (totals?.clicks === undefined || Math.abs(totals.clicks / (DAYS * CLICKS_A_DAY) - 1) > 0.01) throw new Error(`the year has ${totals?.clicks} clicks`); // prettier-ignore
    return performance.now() - began;
  };
  const series = async (times: number, more: { tz?: string; granularity?: string } = {}): Promise<number[]> => {
    const took: number[] = [];
    for (let i = 0; i < times; i += 1) took.push(await ask(more));
    return took.sort((a, b) => a - b);
  };
  await series(20);
  const utc = await series(bench.quick ? 100 : 300);
  const local = await series(20, { tz: 'Asia/Jakarta' });
  const days = await series(3, { tz: 'Asia/Jakarta', granularity: 'day' });
  client.close();
  return [
    {
      what: 'p99 of statistics over 365 days, 10 million clicks of one link',
      value: utc[Math.floor(utc.length * 0.99)]!,
      unit: 'ms',
      bound: { atMost: 50 },
      note: `p50 ${median(utc).toFixed(1)} ms; months of Asia/Jakarta ${median(local).toFixed(1)} ms, days of it ${median(days).toFixed(0)} ms`,
    },
    { what: 'size of these statistics', value: bytes / 2 ** 20, unit: 'MB', note: `${(bytes / (DAYS * CLICKS_A_DAY)).toFixed(1)} bytes a click` }, // prettier-ignore
  ];
}

/** Copies a day of a link to the 364 before. Answers the bytes of all. */
async function copyDay(db: Db, link: string, day: number): Promise<number> {
  let bytes = 0;
  const name = (ms: number): string => `${link}/${new Date(ms).toISOString().slice(0, 10)}`;
  for (const collection of ['stats_days', 'stats_quarters']) {
    const periods = db.collection<{ _id: string }>(collection);
    const found = await periods.find({ _id: { $gte: name(day), $lt: `${name(day)}0` } }).toArray();
    bytes += DAYS * found.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
    for (let back = 1; back < DAYS; back += 1) {
      await periods.insertMany(found.map((document) => ({ ...document, _id: document._id.replace(name(day), name(day - back * DAY_MS)) }))); // prettier-ignore
    }
  }
  return bytes;
}
