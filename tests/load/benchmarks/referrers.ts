import { BSON, MongoClient, type Db } from 'mongodb';
import type { Bench } from '../bench.js';
import { ClickStream } from '../click-stream.js';
import type { Figure } from '../figure.js';
import { cpuSeconds, writtenBytes } from '../memory.js';
import { seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { Latencies } from '../statistics.js';

const RATE = 300;
const TICK_MS = 50;
const PROBE_EVERY_MS = 20;
/**
 * Number of clicks per link before the measurement. These clicks fill the statistics of each link with the maximum
 * number of referrers.
 */
const CLICKS_BEFORE = 1_000;

/** Measures unrelated writes while clicks with unique referrers are applied, first to one link and then to fifty. */
export async function referrers(bench: Bench): Promise<Figure[]> {
  return [...(await measureClicks(bench, 1)), ...(await measureClicks(bench, 50))];
}

async function measureClicks(bench: Bench, linkCount: number): Promise<Figure[]> {
  const database = await startDatabase(bench);
  const dependencies: Dependencies = { mongodb: database.uri, nats: await startBus(bench) };
  await seedThroughService(bench, dependencies, linkCount);
  const client = new MongoClient(database.uri);
  bench.atEnd(() => client.close());
  const db = client.db('tautan_links');
  const links = await db.collection<{ _id: string; workspaceId: string }>('links').find().toArray();
  const stream = await ClickStream.open(
    dependencies.nats,
    links[0]!.workspaceId,
    links.map(({ _id }) => _id),
    true,
  );
  bench.atEnd(() => stream.close());
  const consumer = await startLinks(bench, dependencies, 'stats');
  for (let sent = 0; sent < linkCount * CLICKS_BEFORE; sent += 1_000)
    await stream.publish(1_000, Date.now(), 1_000_000);
  await stream.drained();
  const { process } = database;
  const before = { written: writtenBytes(process?.pid ?? 0), cpu: cpuSeconds(process?.pid ?? 0) };
  const { sent, latencies } = await publishAndProbe(stream, db, bench.quick ? 10 : 30);
  await stream.drained();
  const perClick = (writtenBytes(process?.pid ?? 0) - before.written) / sent;
  const cpu = ((cpuSeconds(process?.pid ?? 0) - before.cpu) / sent) * 1e6;
  const sizes = await sizesOf(db);
  await consumer.stop();
  const load = `${RATE} clicks/s to ${linkCount} ${linkCount === 1 ? 'link' : 'links'}, unique referrers`;
  return [
    {
      label: `p99 of a concurrent write, ${load}`,
      value: latencies.percentile(0.99),
      unit: 'ms',
      note: `p50 ${latencies.percentile(0.5).toFixed(1)} ms, highest ${latencies.percentile(1).toFixed(0)} ms; engine ${cpu.toFixed(0)} µs per click; documents: ${sizes}`,
    },
    { label: `bytes that the engine writes per click, ${load}`, value: perClick, unit: 'bytes' },
  ];
}

/** Publishes `RATE` clicks per second, and measures a small write 50 times per second. */
async function publishAndProbe(
  stream: ClickStream,
  db: Db,
  seconds: number,
): Promise<{ sent: number; latencies: Latencies }> {
  const latencies = new Latencies();
  const probes = db.collection<{ _id: string; count: number }>('bench_probes');
  const writes: Promise<void>[] = [];
  const probe = async (): Promise<void> => {
    const began = performance.now();
    await probes.updateOne({ _id: `${writes.length % 100}` }, { $inc: { count: 1 } }, { upsert: true });
    latencies.add(performance.now() - began);
  };
  const probing = setInterval(() => writes.push(probe()), PROBE_EVERY_MS);
  const began = performance.now();
  let sent = 0;
  for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick += 1) {
    const wait = began + tick * TICK_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await stream.publish((RATE * TICK_MS) / 1_000, Date.now(), 1_000_000);
    sent += (RATE * TICK_MS) / 1_000;
  }
  clearInterval(probing);
  await Promise.all(writes);
  return { sent, latencies };
}

async function sizesOf(db: Db): Promise<string> {
  const all = ['stats_days', 'stats_quarters'].map(async (name) => {
    const sizes = (await db.collection(name).find().toArray()).map((document) => BSON.calculateObjectSize(document));
    const sum = sizes.reduce((total, size) => total + size, 0);
    return `${name} ${sizes.length} of ${(sum / sizes.length / 1_024).toFixed(1)} KB on average, the largest ${(Math.max(...sizes) / 1_024).toFixed(1)} KB`;
  });
  return (await Promise.all(all)).join('; ');
}
