import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { LoadGenerator, postRequest, type LoadResult } from '../load.js';
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
  const pairs: [LoadResult, LoadResult][] = [];
  for (let i = 0; i <= bench.rounds; i += 1) {
    const measured = created(await load.run({ ...plan, port: Number(port) }));
    const baseline = created(await load.run({ ...plan, port: bare.addresses['http']! }));
    bench.say(`${Math.round(measured.perSecond)}/s, bare ${Math.round(baseline.perSecond)}/s`);
    if (i) pairs.push([measured, baseline]);
  }
  const compared = (key: 'perSecond' | 'p50' | 'p99') => ({
    value: median(pairs.map(([measured]) => measured[key])),
    baseline: { what: 'bare Koa insert', value: median(pairs.map(([, bareOne]) => bareOne[key])) },
    ratio: median(pairs.map(([measured, bareOne]) => measured[key] / bareOne[key])),
  });
  return [
    { what: 'POST /links', ...compared('perSecond'), unit: '/s', note: `${CONNECTIONS} connections` },
    { what: 'p50', ...compared('p50'), unit: 'ms' },
    { what: 'p99', ...compared('p99'), unit: 'ms' },
  ];
}

/** A round in which everything was created; anything else ends the benchmark. */
function created(result: LoadResult): LoadResult {
  if (Object.keys(result.statuses).some((status) => status !== '201'))
    throw new Error(`not all were created: ${JSON.stringify(result.statuses)}`);
  return result;
}
