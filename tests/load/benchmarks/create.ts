import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { responseCount, LoadGenerator, postRequest, warmUp, type LoadPlan, type LoadResult } from '../load.js';
import { cpuSeconds, processTree } from '../memory.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';

const CONNECTIONS = 16;

/**
 * Measures POST /links through the gateway, gRPC, the transaction and the outbox, relative to a bare Koa route with one
 * mongoose insert on the same database server, without authentication, events or a routing table.
 */
export async function create(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const { mongodb } = await stack.quickstart();
  const bare = await bench.startProcess('bare-koa', { MONGODB_URI: mongodb.uri, DATABASE: 'bench_create' });
  const load = await LoadGenerator.start(bench);
  const port = Number(new URL(stack.baseUrl).port);
  const requests = creationRequests(stack, [stack.apiKey]);
  // The stack and the bare server. While one of them is measured, the other is idle.
  const pids = [...processTree(stack.pid).map(({ pid }) => pid), bare.pid];
  const round = (targetPort: number) =>
    createLinks(load, { connections: CONNECTIONS, requests, durationMs: bench.roundMs, port: targetPort }, pids);
  await warmUp(() => round(port));
  await warmUp(() => round(bare.ports['http']!));
  const pairs: [Round, Round][] = [];
  for (let i = 0; i < bench.rounds; i += 1) {
    const measured = await round(port);
    const baseline = await round(bare.ports['http']!);
    bench.say(`${Math.round(measured.perSecond)}/s, bare ${Math.round(baseline.perSecond)}/s`);
    pairs.push([measured, baseline]);
  }
  const compared = (key: 'perSecond' | 'p50' | 'p99') => ({
    value: median(pairs.map(([measured]) => measured[key])),
    baseline: { label: 'bare Koa insert', value: median(pairs.map(([, baseline]) => baseline[key])) },
    ratio: median(pairs.map(([measured, baseline]) => measured[key] / baseline[key])),
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
      note: `of all processes together; the bare insert takes ${median(pairs.map(([, baseline]) => baseline.cpuMs)).toFixed(1)} ms`,
    },
  ];
}

/** Returns requests that create links, with the given API keys in turn. */
export function creationRequests({ baseUrl }: Stack, apiKeys: string[]): string[] {
  const { host } = new URL(baseUrl);
  return Array.from({ length: 1_024 }, (_, i) =>
    postRequest(
      '/api/v1/links',
      { Host: host, Authorization: `Bearer ${apiKeys[i % apiKeys.length]}` },
      { url: `https://www.example.com/campaigns/${i}`, title: `Campaign ${i}` },
    ),
  );
}

/** The result of a round, with the CPU time per response in milliseconds. */
export type Round = LoadResult & { cpuMs: number };

/**
 * Sends requests that create links, and measures the CPU time of the given processes. Rejects unless every response is
 * 201.
 */
export async function createLinks(load: LoadGenerator, plan: LoadPlan, pids: number[]): Promise<Round> {
  const before = cpuSecondsOf(pids);
  const result = await load.run(plan);
  if (Object.keys(result.statuses).some((status) => status !== '201'))
    throw new Error(`not all links were created: ${JSON.stringify(result.statuses)}`);
  return { ...result, cpuMs: ((cpuSecondsOf(pids) - before) * 1_000) / responseCount(result, 201) };
}

const cpuSecondsOf = (pids: number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
