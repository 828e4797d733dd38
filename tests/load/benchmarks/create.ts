import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { answersOf, LoadGenerator, postRequest, type LoadResult } from '../load.js';
import { cpuSeconds, processTree } from '../memory.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';

const CONNECTIONS = 16;

/**
 * POST /links through the gateway, gRPC, the transaction and the outbox, beside a bare Koa route that does one mongoose
 * insert on the same database. No bound: the bare route has no authentication, no events, no routing table.
 */
export async function create(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const { mongodb } = await stack.quickstart();
  const bare = await bench.own('bare-koa', { MONGODB_URI: mongodb.uri, DATABASE: 'bench_create' });
  const load = await LoadGenerator.start(bench);
  const { port, host } = new URL(stack.baseUrl);
  const requests = Array.from({ length: 1_000 }, (_, i) =>
    postRequest(
      '/api/v1/links',
      { Host: host, Authorization: `Bearer ${stack.apiKey}` },
      { url: `https://www.example.com/campaigns/${i}`, title: `Campaign ${i}` },
    ),
  );
  const plan = { connections: CONNECTIONS, requests, durationMs: bench.roundMs };
  // All of the stack and the bare server: while one of the two works the other is idle.
  const pids = [...processTree(stack.pid).map(({ pid }) => pid), bare.pid];
  const round = async (at: number): Promise<Round> => {
    const before = total(pids);
    const result = created(await load.run({ ...plan, port: at }));
    return { ...result, cpuMs: ((total(pids) - before) * 1_000) / answersOf(result, 201) };
  };
  const pairs: [Round, Round][] = [];
  for (let i = 0; i <= bench.rounds; i += 1) {
    const measured = await round(Number(port));
    const baseline = await round(bare.addresses['http']!);
    bench.say(`${Math.round(measured.perSecond)}/s, bare ${Math.round(baseline.perSecond)}/s`);
    if (i) pairs.push([measured, baseline]);
  }
  const compared = (key: 'perSecond' | 'p50' | 'p99' | 'cpuMs') => ({
    value: median(pairs.map(([measured]) => measured[key])),
    baseline: { what: 'bare Koa insert', value: median(pairs.map(([, bareOne]) => bareOne[key])) },
    ratio: median(pairs.map(([measured, bareOne]) => measured[key] / bareOne[key])),
  });
  return [
    { what: 'POST /links', ...compared('perSecond'), unit: '/s', note: `${CONNECTIONS} connections` },
    { what: 'p50', ...compared('p50'), unit: 'ms' },
    { what: 'p99', ...compared('p99'), unit: 'ms' },
    { what: 'processor time of one', ...compared('cpuMs'), unit: 'ms', note: 'of all processes together' },
  ];
}

/** A round, and the processor time that one answer took, milliseconds. */
type Round = LoadResult & { cpuMs: number };

const total = (pids: number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

/** A round in which everything was created; anything else ends the benchmark. */
function created(result: LoadResult): LoadResult {
  if (Object.keys(result.statuses).some((status) => status !== '201'))
    throw new Error(`not all were created: ${JSON.stringify(result.statuses)}`);
  return result;
}
