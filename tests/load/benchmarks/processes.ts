import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@tautan/kit/testing';
import { apiClient, type ApiLink, type ApiQrCode, type Client } from '../../support/client.js';
import { accepted } from '../../support/people.js';
import { HUMAN, visit } from '../../support/visitor.js';
import { root, type Bench, type Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { cpuSeconds, residentMb, watchMemory } from '../memory.js';
import { startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';

/** Operations per second of the steady load, by kind. The kinds run at the same time. */
const RATES = { redirects: 200, reads: 20, creations: 5, images: 2 };
const LINKS = 1_000;

/**
 * Measures every workload of the chart as a separate process: its idle memory, its CPU time under a steady load, and
 * its highest memory under that load and under bursts. The bursts are an import of a thousand links, an export, and the
 * largest images.
 */
export async function processes(bench: Bench): Promise<Figure[]> {
  const dependencies: Dependencies = { mongodb: (await startDatabase(bench)).uri, nats: await startBus(bench) };
  const all = await startAll(bench, dependencies);
  const pids = Object.values(all).map(({ pid }) => pid);
  const api = await firstClient(all);
  const redirects = `http://127.0.0.1:${all['redirect']!.ports['http']}`;
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  bench.atEnd(async () => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  accepted(await api.post('/webhooks', { url, events: ['link.created'] }));
  const code = accepted(await api.post<ApiQrCode>('/qr-codes', { url: 'https://www.example.com/' }));

  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = pids.map(residentMb);
  const stopWatching = watchMemory(pids, 100);
  bench.atEnd(async () => stopWatching());
  const slugs = await importLinks(api, LINKS);
  const exported = await api.get('/links/export?format=json');
  if (exported.status !== 200) throw new Error(`the export responded with ${exported.status}`);

  const seconds = bench.quick ? 20 : 60;
  const cpuBefore = pids.map(cpuSeconds);
  const began = performance.now();
  await runAtRates(seconds, {
    redirects: async (n) => (await visit(redirects, `/${slugs[n % LINKS]}`, { userAgent: HUMAN })).status === 302,
    reads: async (n) => (await api.get<ApiLink>(`/links/${slugs[n % LINKS]}`)).status === 200,
    creations: async () => (await api.post('/links', { url: 'https://www.example.com/created' })).status === 201,
    images: async (n) =>
      (await api.get(`/qr-codes/${code.id}/download?format=png&size=${600 + (n % 400)}`)).status === 200,
  });
  const elapsed = (performance.now() - began) / 1_000;
  const cpu = pids.map((pid, i) => ((cpuSeconds(pid) - cpuBefore[i]!) / elapsed) * 1_000);
  const largest = Array.from({ length: 8 }, (_, i) =>
    api.get(`/qr-codes/${code.id}/download?format=png&size=${2_048 - i}`),
  );
  await Promise.all(largest);
  const peak = stopWatching();
  return Object.keys(all).flatMap((name, i) => [
    { label: `${name}: memory when idle`, value: idle[i]!, unit: 'MB' },
    { label: `${name}: highest memory`, value: peak[i]!, unit: 'MB' },
    {
      label: `${name}: CPU time`,
      value: cpu[i]!,
      unit: 'm',
      note: `millicores at ${Object.entries(RATES)
        .map(([label, rate]) => `${rate} ${label}/s`)
        .join(', ')}, for ${seconds} s`,
    },
  ]);
}

/** Starts the eight workloads of the chart. */
async function startAll(bench: Bench, dependencies: Dependencies): Promise<Record<string, Started>> {
  const common = {
    MONGODB_URI: dependencies.mongodb,
    NATS_URL: dependencies.nats,
    BASE_URL: 'http://localhost',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    DEFAULT_PLAN: 'UNLIMITED',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
  };
  const grpc = ({ ports }: Started): string => `127.0.0.1:${ports['grpc']}`;
  const service = (name: string, env: Record<string, string> = {}) =>
    bench.start(`services/${name}/dist/main.js`, { ...common, ...env });
  const links = await startLinks(bench, dependencies, 'api', { BASE_URL: common.BASE_URL });
  const redirect = await startLinks(bench, dependencies, 'redirect', { BASE_URL: common.BASE_URL });
  const stats = await startLinks(bench, dependencies, 'stats', { BASE_URL: common.BASE_URL });
  const [workspaces, billing, webhooks] = await Promise.all([
    service('workspaces'),
    service('billing'),
    service('webhooks'),
  ]);
  const qr = await service('qr', { LINKS_ADDRESS: grpc(links) });
  const gateway = await bench.start('gateway/dist/main.js', {
    NATS_URL: dependencies.nats,
    BASE_URL: common.BASE_URL,
    GATEWAY_PORT: '0',
    PLAN_UNLIMITED: JSON.stringify({ rateLimits: { read: 1_000_000, write: 1_000_000 } }),
    LINKS_ADDRESS: grpc(links),
    WORKSPACES_ADDRESS: grpc(workspaces),
    WEBHOOKS_ADDRESS: grpc(webhooks),
    QR_ADDRESS: grpc(qr),
    BILLING_ADDRESS: grpc(billing),
  });
  const all = { gateway, redirect, links, stats, qr, workspaces, billing, webhooks };
  for (const { ports } of Object.values(all))
    await until(async () => (await fetch(`http://127.0.0.1:${ports['admin']}/readyz`)).ok);
  return all;
}

/** Creates a workspace and an API key with `tautan-admin`. Returns an API client with this key. */
async function firstClient({ gateway, workspaces }: Record<string, Started>): Promise<Client> {
  const admin = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], OPERATOR_PORT: String(workspaces!.ports['operator']) };
    const command = join(root, 'admin/bin/tautan-admin.js');
    const { stdout } = await promisify(execFile)(process.execPath, [command, ...args, '--quiet'], { env });
    return stdout.trim();
  };
  const workspaceId = await admin('workspaces', 'create', 'Benchmark');
  const apiKey = await admin('keys', 'create', workspaceId, 'benchmark');
  return apiClient({ baseUrl: `http://127.0.0.1:${gateway!.ports['http']}`, apiKey });
}

async function importLinks(api: Client, count: number): Promise<string[]> {
  const slugs = Array.from({ length: count }, (_, i) => `bench-${i}`);
  const links = slugs.map((slug) => ({ slug, url: `https://www.example.com/${slug}`, tags: ['benchmark'] }));
  const { created } = accepted(await api.post<{ created: number }>('/links/import', { links }));
  if (created !== count) throw new Error(`${created} of ${count} links were imported`);
  return slugs;
}

/** Runs each operation at its rate. Throws an error with the number of failures if any fail. */
async function runAtRates(
  seconds: number,
  work: Record<keyof typeof RATES, (n: number) => Promise<boolean>>,
): Promise<void> {
  const outcomes: Promise<string | undefined>[] = [];
  const outcomeOf = (name: keyof typeof RATES, n: number): Promise<string | undefined> =>
    work[name](n).then(
      (succeeded) => (succeeded ? undefined : name),
      (error) => `${name} (${error})`,
    );
  const began = performance.now();
  const started = new Map<string, number>();
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - began) / 1_000) {
    for (const [name, rate] of Object.entries(RATES) as [keyof typeof RATES, number][]) {
      const due = Math.floor(elapsed * rate);
      for (let n = started.get(name) ?? 0; n < due; n += 1) outcomes.push(outcomeOf(name, n));
      started.set(name, due);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const failures = (await Promise.all(outcomes)).filter((failure) => failure !== undefined);
  if (failures.length > 0)
    throw new Error(`${failures.length} operations failed: ${[...new Set(failures)].join(', ')}`);
}
