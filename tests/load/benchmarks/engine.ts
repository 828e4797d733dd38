import { once } from 'node:events';
import type { Bench, Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { anonymousMb, cpuSeconds } from '../memory.js';
import { startDatabase, type Database } from '../servers.js';
import { median } from '../statistics.js';

export interface EnginePlan {
  operation: 'fill' | 'ping' | MeasuredOperation;
  /** Number of documents that `fill` inserts. */
  documents?: number;
  inFlight?: number;
  durationMs?: number;
}

export interface EngineResult {
  perSecond: number;
  /** Latency percentiles in milliseconds. */
  p50: number;
  p99: number;
  /** CPU utilization of the client, in cores. */
  ownCpu: number;
  /** CPU utilization of the engine, in cores, if it is a local process. */
  engineCpu?: number;
}

/** `minRatio`: minimum ratio of an operation's throughput to that of `ping`. */
const measuredOperations = {
  insert: { label: 'insert (Model.create)', minRatio: 0.5 },
  byId: { label: 'read by _id (findById, lean)', minRatio: 0.5 },
  byIndex: { label: 'read by a secondary index', minRatio: 0.5 },
  transaction: { label: 'transaction of three writes', minRatio: 0.15 },
};
type MeasuredOperation = keyof typeof measuredOperations;

const DOCUMENTS = 1_000_000;
const IN_FLIGHT = 32;

/**
 * Measures the embedded engine through mongoose with a million documents, relative to `ping`, and the time
 * that it takes to start with these documents.
 */
export async function engine(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder();
  const first = await startDatabase(bench, folder);
  bench.say(`inserting ${DOCUMENTS.toLocaleString('en')} documents`);
  const filler = await startClient(bench, first.uri);
  const filling = await ask(filler, { operation: 'fill', documents: DOCUMENTS });
  await filler.stop();
  await first.process?.stop();

  const began = performance.now();
  const database = await startDatabase(bench, folder);
  const client = await startClient(bench, database.uri);
  await ask(client, { operation: 'ping', inFlight: 1, durationMs: 1 });
  const startSeconds = (performance.now() - began) / 1_000;

  const rounds = await measureAll(bench, client, database);
  const pings = rounds.map(({ ping }) => ping);
  const figures = Object.entries(measuredOperations).map(([name, { label, minRatio }]): Figure => {
    const results = rounds.map((round) => round[name as MeasuredOperation]);
    return {
      label,
      value: medianOf(results, 'perSecond'),
      unit: '/s',
      baseline: { label: 'ping', value: medianOf(pings, 'perSecond') },
      ratio: median(rounds.map((round) => round[name as MeasuredOperation].perSecond / round.ping.perSecond)),
      bound: { atLeast: minRatio },
      note: noteOf(results),
    };
  });
  return [
    { label: 'bulk inserts with an index', value: filling.perSecond, unit: '/s' },
    { label: 'ping', value: medianOf(pings, 'perSecond'), unit: '/s', note: noteOf(pings) },
    ...figures,
    ...(database.process
      ? [
          { label: 'start with 1,000,000 documents', value: startSeconds, unit: 's', bound: { atMost: 0.5 } },
          {
            label: 'memory without the page cache',
            value: anonymousMb(database.process.pid),
            unit: 'MB',
            bound: { atMost: 250 },
          },
        ]
      : []),
  ];
}

const medianOf = (results: EngineResult[], key: keyof EngineResult): number =>
  median(results.map((result) => result[key] ?? NaN));

const noteOf = (results: EngineResult[]): string => {
  const percent = (key: 'ownCpu' | 'engineCpu'): number => Math.round(medianOf(results, key) * 100);
  const times = `p50 ${medianOf(results, 'p50').toFixed(2)} ms, p99 ${medianOf(results, 'p99').toFixed(2)} ms`;
  return `${times}; client at ${percent('ownCpu')}%, engine at ${percent('engineCpu')}% of a core`;
};

/** Measures every operation in turn, in several rounds after a warm-up round. */
async function measureAll(bench: Bench, client: Started, { process }: Database) {
  const names = ['ping', ...Object.keys(measuredOperations)] as (MeasuredOperation | 'ping')[];
  const rounds = [];
  const durationMs = bench.quick ? 800 : 1_500;
  const cpu = (): number => (process ? cpuSeconds(process.pid) : NaN);
  for (let i = 0; i <= bench.rounds; i += 1) {
    bench.say(i ? `round ${i} of ${bench.rounds}` : 'warming up');
    const round = {} as Record<MeasuredOperation | 'ping', EngineResult>;
    for (const operation of names) {
      const before = cpu();
      const result = await ask(client, { operation, inFlight: IN_FLIGHT, durationMs });
      round[operation] = { ...result, engineCpu: (cpu() - before) / (durationMs / 1_000) };
    }
    if (i) rounds.push(round);
  }
  return rounds;
}

const startClient = (bench: Bench, uri: string): Promise<Started> =>
  bench.startProcess('engine-client', { MONGODB_URI: uri, DATABASE: 'bench_engine' });

async function ask(client: Started, plan: EnginePlan): Promise<EngineResult> {
  const settled = new AbortController();
  const gone = once(client.process, 'exit', { signal: settled.signal }).then(() =>
    Promise.reject(new Error('the client process exited')),
  );
  gone.catch(() => {});
  client.process.send(plan);
  const [result] = (await Promise.race([once(client.process, 'message', { signal: settled.signal }), gone])) as [
    EngineResult,
  ];
  settled.abort();
  return result;
}
