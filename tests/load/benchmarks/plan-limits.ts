import { randomBytes } from 'node:crypto';
import { join, relative } from 'node:path';
import { newId, type Principal } from '@tautan/kit';
import { rpcClient, type CallOptions } from '@tautan/kit/rpc';
import { until } from '@tautan/kit/testing';
import { rpcServices } from '@tautan/proto/rpc';
import { root, type Bench, type Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { cpuSeconds } from '../memory.js';
import { startBus, startDatabase } from '../servers.js';
import { median } from '../statistics.js';

const CONCURRENCY = 32;
/** Maximum time and CPU time per creation, relative to the baseline. */
const MAX_RATIO = 1.15;

/** The services that create resources that count toward a plan limit, started from one build. */
interface Services {
  create: Record<Kind, (workspaceId: string) => Promise<unknown>>;
  pids: number[];
}
type Kind = 'links' | 'QR codes' | 'webhook endpoints';

interface Cost {
  /** Duration of the round divided by the number of creations, in ms. */
  ms: number;
  cpuMs: number;
}

/**
 * Measures the creation, over gRPC, of resources that count toward a plan limit, with 32 concurrent creations in one
 * workspace and in 32 workspaces. The baseline is the build in the folder that the environment variable BENCH_BASELINE
 * names, on the same database server, in alternating rounds. Without BENCH_BASELINE, there is no target.
 */
export async function planLimits(bench: Bench): Promise<Figure[]> {
  const [database, natsUrl] = [await startDatabase(bench), await startBus(bench)];
  const shared = { MONGODB_URI: database.uri, NATS_URL: natsUrl };
  const enginePids = database.process ? [database.process.pid] : [];
  const folder = process.env['BENCH_BASELINE'];
  const measured = await startServices(bench, root, shared);
  const baseline = folder ? await startServices(bench, folder, shared) : undefined;
  const figures: Figure[] = [];
  for (const kind of Object.keys(measured.create) as Kind[]) {
    for (const workspaces of [1, CONCURRENCY]) {
      const rounds: [Cost, Cost | undefined][] = [];
      for (let i = 0; i <= bench.rounds; i += 1) {
        const run = (services: Services) => round(bench, services, { kind, workspaces, enginePids });
        // Alternate which build runs first, because the database server is less warmed up for the first one of each
        // pair.
        const measuredFirst = i % 2 === 0;
        const first = measuredFirst ? await run(measured) : baseline && (await run(baseline));
        const second = measuredFirst ? baseline && (await run(baseline)) : await run(measured);
        const pair = measuredFirst ? [first!, second] : [second!, first];
        if (i > 0) rounds.push(pair as [Cost, Cost | undefined]);
      }
      figures.push(
        ...figuresOf(
          `${kind}, ${CONCURRENCY} concurrent in ${workspaces} workspace${workspaces > 1 ? 's' : ''}`,
          rounds,
        ),
      );
    }
  }
  return figures;
}

function figuresOf(label: string, rounds: [Cost, Cost | undefined][]): Figure[] {
  const compared = (key: keyof Cost): Omit<Figure, 'label'> => {
    const value = median(rounds.map(([measured]) => measured[key]));
    const pairs = rounds.filter((pair): pair is [Cost, Cost] => pair[1] !== undefined);
    if (pairs.length === 0) return { value, unit: 'ms' };
    return {
      value,
      unit: 'ms',
      baseline: { label: 'BENCH_BASELINE', value: median(pairs.map(([, baseline]) => baseline[key])) },
      ratio: median(pairs.map(([measured, baseline]) => measured[key] / baseline[key])),
      bound: { atMost: MAX_RATIO },
    };
  };
  return [
    { label, ...compared('ms') },
    { label: 'CPU time per creation', ...compared('cpuMs') },
  ];
}

/** Creates resources with 32 concurrent workers for the length of a round, in the given number of new workspaces. */
async function round(
  bench: Bench,
  { create, pids }: Services,
  { kind, workspaces, enginePids }: { kind: Kind; workspaces: number; enginePids: number[] },
): Promise<Cost> {
  const ids = Array.from({ length: workspaces }, () => newId('ws'));
  const cpu = (): number => [...pids, ...enginePids].reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const [startedAt, cpuBefore] = [performance.now(), cpu()];
  const end = startedAt + bench.roundMs;
  let created = 0;
  const work = async (workspaceId: string): Promise<void> => {
    for (; performance.now() < end; created += 1) await create[kind](workspaceId);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, i) => work(ids[i % workspaces]!)));
  const cost = { ms: (performance.now() - startedAt) / created, cpuMs: ((cpu() - cpuBefore) * 1_000) / created };
  bench.say(`${kind}, workspaces: ${workspaces}; ${cost.ms.toFixed(2)} ms, ${cost.cpuMs.toFixed(2)} ms of CPU time`);
  return cost;
}

async function startServices(bench: Bench, folder: string, shared: Record<string, string>): Promise<Services> {
  const run = Date.now().toString(36);
  const start = async (name: string, env: Record<string, string>): Promise<Started> => {
    const module = relative(root, join(folder, 'services', name, 'dist', 'main.js'));
    const service = await bench.start(module, {
      ...shared,
      ...unlimited,
      RPC_PORT: '0',
      OPERATOR_PORT: '0',
      MONGODB_DATABASE: `bench_${name}_${run}`,
      ...env,
    });
    await until(async () => (await fetch(`http://127.0.0.1:${service.ports['admin']}/readyz`)).ok);
    return service;
  };
  const base = { BASE_URL: 'https://go.example.com' };
  const links = await start('links', { ...base, ROLES: 'api' });
  const qr = await start('qr', { ...base, LINKS_ADDRESS: `127.0.0.1:${links.ports['grpc']}` });
  const webhooks = await start('webhooks', {
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
  });
  const clientOf = <D>(definition: D, { ports }: Started) => {
    const client = rpcClient(definition, { address: `127.0.0.1:${ports['grpc']}` });
    bench.atEnd(async () => client.close());
    return client;
  };
  const linksClient = clientOf(rpcServices.links, links);
  const codesClient = clientOf(rpcServices.qrCodes, qr);
  const endpointsClient = clientOf(rpcServices.webhooks, webhooks);
  let endpoints = 0;
  return {
    pids: [links, qr, webhooks].map(({ pid }) => pid),
    create: {
      links: (id) => linksClient.call('CreateLink', { url: 'https://www.example.com/' }, optionsOf(id)),
      'QR codes': (id) => codesClient.call('CreateQrCode', { url: 'https://www.example.com/' }, optionsOf(id)),
      'webhook endpoints': (id) =>
        endpointsClient.call(
          'CreateEndpoint',
          { url: `http://127.0.0.1/${(endpoints += 1)}`, events: ['*'] },
          optionsOf(id),
        ),
    },
  };
}

/** Limits that are checked but never reached. */
const unlimited = {
  PLAN_BUSINESS: JSON.stringify({
    limits: { links: 1_000_000_000, qrCodes: 1_000_000_000, webhookEndpoints: 1_000_000_000 },
  }),
};

function optionsOf(workspaceId: string): CallOptions {
  const principal: Principal = {
    workspaceId,
    kind: 'api_key',
    id: newId('key'),
    name: 'bench',
    role: 'admin',
    plan: 'BUSINESS',
    ip: '192.0.2.1',
    userAgent: 'bench',
    requestId: newId('req'),
  };
  return { requestId: principal.requestId, principal, timeoutMs: 15_000 };
}
