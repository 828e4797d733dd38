import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createLog, newId, type Principal } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient } from '@tautan/kit/rpc';
import { until } from '@tautan/kit/testing';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import type { Bench, Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { cpuSeconds } from '../memory.js';
import { startBus, startDatabase } from '../servers.js';
import { median } from '../statistics.js';

const ENDPOINTS = 100;
const HANGING = 10;
const EVENTS_PER_SECOND = 250;
const PUBLISHERS = 64;

/** The deliveries as reported by the receivers. */
interface Arrivals {
  /** Milliseconds from the event to the arrival of each delivery. */
  delays: number[];
  /** Number of attempts so far that a receiver left without a response. */
  hanging: number;
}

/**
 * Measures deliveries of one process to local receivers, with one endpoint per workspace. First publishes bursts of
 * events, as fast as the stream accepts the events, and measures the time until the last event of a burst is delivered.
 * Then publishes events at a steady rate while one in ten receivers does not respond, and measures the time from event
 * to POST at the other receivers.
 */
export async function webhooks(bench: Bench): Promise<Figure[]> {
  const [database, busUrl] = [await startDatabase(bench), await startBus(bench)];
  const receivers = await bench.startProcess('webhook-receivers');
  const service = await bench.start('services/webhooks/dist/main.js', {
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: `bench_webhooks_${Date.now()}`,
    NATS_URL: busUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
  });
  const bus = new Bus({ url: busUrl, name: 'bench', log: createLog('bench', 'silent') });
  bench.atEnd(() => bus.close());
  await until(() => bus.connected);
  await until(async () => (await fetch(`http://127.0.0.1:${service.ports['admin']}/readyz`)).ok);
  const register = registrar(bench, service, receivers);
  const healthy = await register('/ok', ENDPOINTS - HANGING);

  const rates: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i <= bench.rounds; i += 1) {
    const events = bench.quick ? 2_000 : 5_000;
    const [began, cpuBefore] = [performance.now(), cpuSeconds(service.pid)];
    const { delays } = await measureDeliveries(receivers, events, () => publishBurst(bus, healthy, events));
    const seconds = (performance.now() - began) / 1_000;
    const used = cpuSeconds(service.pid) - cpuBefore;
    bench.say(
      `${Math.round(events / seconds)} deliveries/s; ${((used / events) * 1e6).toFixed(0)} µs of CPU time each; slowest after ${Math.max(...delays)} ms`,
    );
    if (i === 0) continue;
    rates.push(events / seconds);
    cpu.push((used / events) * 1e6);
  }

  const hanging = await register('/hang', HANGING);
  // Divisible by the number of endpoints.
  const events = EVENTS_PER_SECOND * (bench.quick ? 8 : 24);
  const arrivals = await measureDeliveries(receivers, (events * (ENDPOINTS - HANGING)) / ENDPOINTS, () =>
    publishAtRate(bus, [...healthy, ...hanging], events),
  );
  const delays = arrivals.delays.sort((a, b) => a - b);
  const p99 = delays[Math.floor(delays.length * 0.99)]!;
  bench.say(
    `event to POST: p50 ${median(delays)} ms, p99 ${p99} ms, slowest ${delays.at(-1)} ms; ${arrivals.hanging} attempts hung`,
  );
  return [
    {
      label: 'deliveries of one process',
      value: median(rates),
      unit: '/s',
      bound: { atLeast: 1_000 },
      note: `burst to ${ENDPOINTS - HANGING} endpoints, timed until the last delivery arrives; database, broker and receivers on the same machine`,
    },
    { label: 'CPU time of a delivery', value: median(cpu), unit: 'µs' },
    {
      label: 'event to POST, p99',
      value: p99 / 1_000,
      unit: 's',
      bound: { atMost: 2 },
      note: `${EVENTS_PER_SECOND} events/s to ${ENDPOINTS} receivers; measured at those that respond, while every tenth hangs`,
    },
  ];
}

/** Returns a function that registers endpoints, each in a new workspace, and returns the ids of the workspaces. */
function registrar(bench: Bench, service: Started, receivers: Started) {
  const client = rpcClient(rpcServices.webhooks, { address: `127.0.0.1:${service.ports['grpc']}` });
  bench.atEnd(async () => client.close());
  return async (path: string, count: number): Promise<string[]> => {
    const workspaces: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const workspaceId = newId('ws');
      const principal: Principal = {
        workspaceId,
        kind: 'api_key',
        id: 'key_bench',
        name: 'bench',
        role: 'admin',
        plan: 'UNLIMITED',
        ip: null,
        userAgent: null,
        requestId: 'bench',
      };
      const url = `http://127.0.0.1:${receivers.ports['http']}${path}/${i}`;
      await client.call('CreateEndpoint', { url, events: ['*'] }, { requestId: 'bench', principal, timeoutMs: 20_000 });
      workspaces.push(workspaceId);
    }
    return workspaces;
  };
}

/** Calls `publish` and returns the arrivals once the expected number of deliveries has arrived. */
async function measureDeliveries(
  receivers: Started,
  expected: number,
  publish: () => Promise<void>,
): Promise<Arrivals> {
  const all: Arrivals = { delays: [], hanging: 0 };
  await publish();
  await until(async () => {
    receivers.process.send('arrivals');
    const [{ delays, hanging }] = (await once(receivers.process, 'message')) as [Arrivals];
    all.delays.push(...delays);
    all.hanging = hanging;
    return all.delays.length >= expected;
  }, 60_000);
  if (all.delays.length > expected) throw new Error(`${all.delays.length} deliveries of ${expected} events`);
  return all;
}

async function publishBurst(bus: Bus, workspaces: string[], count: number): Promise<void> {
  let sent = 0;
  const publish = async (): Promise<void> => {
    while (sent < count) await publishEvent(bus, workspaces[sent++ % workspaces.length]!);
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, publish));
}

async function publishAtRate(bus: Bus, workspaces: string[], count: number): Promise<void> {
  const began = performance.now();
  const published: Promise<void>[] = [];
  while (published.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1_000) * EVENTS_PER_SECOND));
    while (published.length < due) published.push(publishEvent(bus, workspaces[published.length % workspaces.length]!));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(published);
}

function publishEvent(bus: Bus, workspaceId: string): Promise<void> {
  const at = new Date().toISOString();
  const id = newId('evt');
  const event: TautanEvent<'tag.created'> = {
    id,
    type: 'tag.created',
    at,
    workspaceId,
    actor: { type: 'user', id: 'usr_bench', name: 'bench' },
    requestId: null,
    ip: null,
    userAgent: null,
    target: { type: 'tag', id: 'tag_bench', label: 'campaign' },
    changes: {},
    data: { id: 'tag_bench', name: 'campaign', linkCount: 0, qrCodeCount: 0, createdAt: at, updatedAt: at },
  };
  return bus.publish(eventSubject(event.type), JSON.stringify(event), { id });
}
