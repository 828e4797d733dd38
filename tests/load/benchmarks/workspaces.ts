import { aKey, aPerson, aWorkspace } from '../../support/people.js';
import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { LoadGenerator } from '../load.js';
import { processTree } from '../memory.js';
import { benchStack } from '../stack.js';
import { median } from '../statistics.js';
import { createLinks, creationRequests, type Round } from './create.js';

const CONNECTIONS = 32;
const WORKSPACES = 32;
const WARM_UP_LINKS = 2_000;

/**
 * Measures POST /links in 32 workspaces relative to a single one, with one and with two replicas of the gateway, the
 * services and the redirect process.
 */
export async function workspaces(bench: Bench): Promise<Figure[]> {
  const load = await LoadGenerator.start(bench);
  const figures: Figure[] = [];
  for (const replicas of [1, 2]) {
    const stack = await benchStack(bench, {
      REPLICAS: String(replicas),
      MAX_WORKSPACES_PER_USER: '100',
    });
    figures.push(...(await compare(bench, load, stack, replicas)));
    await stack.stop();
  }
  return figures;
}

async function compare(bench: Bench, load: LoadGenerator, stack: Stack, replicas: number): Promise<Figure[]> {
  const pids = processTree(stack.pid).map(({ pid }) => pid);
  const port = Number(new URL(stack.baseUrl).port);
  const one = creationRequests(stack, [stack.apiKey]);
  const many = creationRequests(stack, await apiKeys(stack));
  const round = (requests: string[], length: { durationMs: number } | { total: number }) =>
    createLinks(load, { connections: CONNECTIONS, requests, ...length, port }, pids);
  await round(one, { total: WARM_UP_LINKS });
  await round(many, { total: WARM_UP_LINKS });
  const pairs: [Round, Round][] = [];
  for (let i = 0; i < bench.rounds; i += 1) {
    const measured = await round(many, { durationMs: bench.roundMs });
    const baseline = await round(one, { durationMs: bench.roundMs });
    bench.say(`${Math.round(measured.perSecond)}/s, in one workspace ${Math.round(baseline.perSecond)}/s`);
    pairs.push([measured, baseline]);
  }
  const figure = (label: string, key: 'perSecond' | 'p99' | 'cpuMs', unit: string): Figure => ({
    label,
    value: median(pairs.map(([measured]) => measured[key])),
    unit,
    baseline: { label: 'one workspace', value: median(pairs.map(([, baseline]) => baseline[key])) },
    ratio: median(pairs.map(([measured, baseline]) => measured[key] / baseline[key])),
  });
  return [
    figure(`POST /links in ${WORKSPACES} workspaces, replicas: ${replicas}`, 'perSecond', '/s'),
    figure('p99', 'p99', 'ms'),
    figure('CPU time per request', 'cpuMs', 'ms'),
  ];
}

/** Returns an API key for each of 32 new workspaces. */
async function apiKeys(stack: Stack): Promise<string[]> {
  const owner = await aPerson(stack);
  const keys: string[] = [];
  for (let i = 0; i < WORKSPACES; i += 1) keys.push((await aKey(owner, (await aWorkspace(owner)).id)).key);
  return keys;
}
