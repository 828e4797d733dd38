import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { responseCount, LoadGenerator, postRequest, type LoadResult } from '../load.js';
import { cpuSeconds, processTree } from '../memory.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';

const CONNECTIONS = 16;
const WARM_UP_LINKS = 2_000;

/**
 * Measures POST /links through the gateway, gRPC, the transaction and the outbox, relative to a bare Koa route with one
 * mongoose insert on the same database, without authentication, events or a routing table. The uncounted warm-up round
 * has a fixed number of links, because a fixed duration would warm up the faster server more.
 */
export async function create(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const { mongodb } = await stack.quickstart();
  const bare = await bench.startProcess('bare-koa', { MONGODB_URI: mongodb.uri, DATABASE: 'bench_create' });
  const load = await LoadGenerator.start(bench);
  const { port, host } = new URL(stack.baseUrl);
  const requests = Array.from({ length: 1_000 }, (_, i) =>
    postRequest(
      '/api/v1/links',
      { Host: host, Authorization: `Bearer ${stack.apiKey}` },
      { url: `https://www.example.com/campaigns/${i}`, title: `Campaign ${i}` },
    ),
  );
  const plan = { connections: CONNECTIONS, requests };
  // The stack and the bare server. While one of them is measured, the other is idle.
  const pids = [...processTree(stack.pid).map(({ pid }) => pid), bare.pid];
  const round = async (at: number, length: { durationMs: number } | { total: number }): Promise<Round> => {
    const before = cpuSecondsOf(pids);
    const result = assertCreated(await load.run({ ...plan, ...length, port: at }));
    return { ...result, cpuMs: ((cpuSecondsOf(pids) - before) * 1_000) / responseCount(result, 201) };
  };
  const pairs: [Round, Round][] = [];
  for (let i = 0; i <= bench.rounds; i += 1) {
    const length = i === 0 ? { total: WARM_UP_LINKS } : { durationMs: bench.roundMs };
    const measured = await round(Number(port), length);
    const baseline = await round(bare.addresses['http']!, length);
    bench.say(`${Math.round(measured.perSecond)}/s, bare ${Math.round(baseline.perSecond)}/s`);
    if (i) pairs.push([measured, baseline]);
  }
  const compared = (key: 'perSecond' | 'p50' | 'p99') => ({
    value: median(pairs.map(([measured]) => measured[key])),
    baseline: { label: 'bare Koa insert', value: median(pairs.map(([, bareOne]) => bareOne[key])) },
    ratio: median(pairs.map(([measured, bareOne]) => measured[key] / bareOne[key])),
  });
  return [
    {
      label: 'POST /links',
      ...compared('perSecond'),
      unit: '/s',
      bound: { atLeast: 0.3 },
      note: `${CONNECTIONS} connections`,
    },
    { label: 'p50', ...compared('p50'), unit: 'ms' },
    { label: 'p99', ...compared('p99'), unit: 'ms' },
    {
      label: 'CPU time per request',
      value: median(pairs.map(([measured]) => measured.cpuMs)),
      unit: 'ms',
      bound: { atMost: 4.5 },
      note: `of all processes together; the bare insert takes ${median(pairs.map(([, bareOne]) => bareOne.cpuMs)).toFixed(1)} ms`,
    },
  ];
}

/** A round, with the CPU time per response in milliseconds. */
type Round = LoadResult & { cpuMs: number };

const cpuSecondsOf = (pids: number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

/** Returns the result of a round. Throws unless every response was 201. */
function assertCreated(result: LoadResult): LoadResult {
  if (Object.keys(result.statuses).some((status) => status !== '201'))
    throw new Error(`not all links were created: ${JSON.stringify(result.statuses)}`);
  return result;
}
