import { MongoClient } from 'mongodb';
import type { Bench, Started } from '../bench.js';
import { ClickStream } from '../click-stream.js';
import type { Figure } from '../figure.js';
import { watchMemory, cpuSeconds } from '../memory.js';
import { seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';

const LINKS = 10_000;
const RATE = 5_000;
const TICK_MS = 50;

/**
 * Measures one process that applies clicks: its lag after a burst at a steady rate, and its throughput with a backlog.
 */
export async function stats(bench: Bench): Promise<Figure[]> {
  const database = await startDatabase(bench);
  const dependencies: Dependencies = { mongodb: database.uri, nats: await startBus(bench) };
  bench.say(`seeding ${LINKS.toLocaleString('en')} links`);
  await seedThroughService(bench, dependencies, LINKS);
  const client = new MongoClient(database.uri);
  bench.atEnd(() => client.close());
  const links = client.db('tautan_links').collection<{ _id: string; workspaceId: string; clickCount: number }>('links');
  const all = await links.find({}, { projection: { workspaceId: 1 } }).toArray();
  const stream = await ClickStream.open(
    dependencies.nats,
    all[0]!.workspaceId,
    all.map(({ _id }) => _id),
  );
  bench.atEnd(() => stream.close());
  const counted = async (): Promise<number> => {
    const [sum] = await links
      .aggregate<{ clicks: number }>([{ $group: { _id: null, clicks: { $sum: '$clickCount' } } }])
      .toArray();
    return sum!.clicks;
  };

  const consumer = await startLinks(bench, dependencies, 'stats');
  const stopWatching = watchMemory([consumer.pid]);
  const seconds = bench.quick ? 10 : 30;
  const burst = await measureBurst(bench, stream, seconds, [consumer, database.process]);
  bench.say(`lag ${burst.lagSeconds.toFixed(2)} s after the burst; ${burst.note}`);
  await consumer.stop();

  const backlog = bench.quick ? 50_000 : 150_000;
  for (let sent = 0; sent < backlog; sent += 4_000)
    await stream.publish(Math.min(4_000, backlog - sent), Date.now(), 50_000);
  const began = performance.now();
  const restarted = await startLinks(bench, dependencies, 'stats');
  const stopWatchingRestarted = watchMemory([restarted.pid]);
  await stream.drained();
  const took = (performance.now() - began) / 1_000;
  const highest = Math.max(...stopWatching(), ...stopWatchingRestarted());
  const difference = (await counted()) - seconds * RATE - backlog;
  return [
    {
      label: 'lag after a burst at 5,000 clicks/s',
      value: burst.lagSeconds,
      unit: 's',
      bound: { atMost: 5 },
      note: burst.note,
    },
    { label: 'clicks counted minus clicks sent', value: difference, unit: '', bound: { exactly: 0 } },
    {
      label: 'clicks applied from a backlog',
      value: backlog / took,
      unit: '/s',
      bound: { atLeast: RATE },
      note: 'including the start of the process',
    },
    { label: 'resident memory', value: highest, unit: 'MB', bound: { atMost: 250 } },
  ];
}

/**
 * Publishes clicks at the target rate. Returns the time in seconds from the last click until all are applied, and a
 * note.
 */
async function measureBurst(bench: Bench, stream: ClickStream, seconds: number, processes: (Started | undefined)[]) {
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
  await stream.drained();
  const costs = running.map(({ pid }, i) => Math.round(((cpuSeconds(pid) - before[i]!) / (seconds * RATE)) * 1e6));
  return {
    lagSeconds: (performance.now() - ended) / 1_000,
    note: `${Math.round((seconds * RATE) / sentIn)} clicks/s for ${seconds} s over ${LINKS} links, ${lag} batches behind at the end of the burst; CPU time of a click (consumer, engine): ${costs.join(', ')} µs`,
  };
}
