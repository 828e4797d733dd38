import { randomBytes } from 'node:crypto';
import { createLog, newId, newUlid, type Principal, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient, type Methods, type RequestIn, type ResponseOut } from '@tautan/kit/rpc';
import { collectEvents, eventually, startServers, until } from '@tautan/kit/testing';
import {
  eventSubject,
  parseEvent,
  type EventData,
  type EventType,
  type TautanEvent,
  type WebhooksDefinition,
} from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import mongoose from 'mongoose';
import { readWebhooksConfig } from '../config.js';
import { start, type Overrides } from '../main.js';
import { createModels } from '../store/models.js';

export type TestService = Awaited<ReturnType<typeof startService>>;
export type Caller = ReturnType<TestService['as']>;
export type DeliveryMessage = ResponseOut<WebhooksDefinition, 'GetDelivery'>;

/** Starts the service on free ports with its own servers. `overrides` replace its clock and other dependencies. */
export async function startService(settings: Record<string, string> = {}, overrides: Overrides = {}) {
  const servers = await startServers();
  const full = {
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    BIND_HOST: '127.0.0.1',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    POLL_MS: '50',
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: `webhooks_test_${newUlid()}`,
    NATS_URL: servers.natsUrl,
    ...settings,
  };
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  const events = collectEvents(bus, 'events.>', parseEvent);
  await until(() => bus.connected);
  const startReplica = async () => {
    const replica = await start(readWebhooksConfig(full), overrides);
    await until(async () => (await fetch(`http://127.0.0.1:${replica.ports['admin']}/readyz`)).ok);
    return replica;
  };
  const replicas = [await startReplica()];
  const adminUrl = `http://127.0.0.1:${replicas[0]!.ports['admin']}`;
  const connection = await mongoose
    .createConnection(full.MONGODB_URI, { dbName: full.MONGODB_DATABASE, autoIndex: false, autoCreate: false })
    .asPromise();
  const clientsOf = (ports: Running['ports']) => {
    const address = `127.0.0.1:${ports['grpc']}`;
    return { webhooks: rpcClient(rpcServices.webhooks, { address }), usage: rpcClient(rpcServices.usage, { address }) };
  };
  const clients = [clientsOf(replicas[0]!.ports)];
  let turn = 0;
  const next = () => clients[turn++ % clients.length]!;

  /** Returns a client that calls as a principal, by default in a new workspace. Its calls rotate over the replicas. */
  const as = (by: Principal = aPrincipal(), timeoutMs = 20_000) => {
    const options = { requestId: by.requestId, principal: by, timeoutMs };
    const call = <M extends Methods<WebhooksDefinition>>(method: M, request: RequestIn<WebhooksDefinition, M>) =>
      next().webhooks.call(method, request, options);
    return {
      by,
      workspaceId: by.workspaceId,
      call,
      /** Returns the number of endpoints that count toward the plan limit. */
      usage: async () => (await next().usage.call('GetUsage', {}, options)).used['webhookEndpoints'],
      /** Registers an endpoint, by default for all events. */
      anEndpoint: async (url: string, types: string[] = ['*']) => {
        const { endpoint, secret } = await call('CreateEndpoint', { url, events: types });
        return { ...endpoint!, secret };
      },
      endpoint: async (id: string) => (await call('ListEndpoints', {})).endpoints.find((it) => it.id === id)!,
      delivery: (id: string) => call('GetDelivery', { id }),
      deliveries: async (query: RequestIn<WebhooksDefinition, 'ListDeliveries'> = {}) =>
        (await call('ListDeliveries', { limit: 100, ...query })).deliveries,
      /** Waits until a delivery meets a condition, and returns the newest delivery that does. */
      awaitDelivery: (meets: (delivery: DeliveryMessage) => boolean, withinMs?: number) =>
        until(async () => (await call('ListDeliveries', { limit: 100 })).deliveries.find(meets), withinMs),
    };
  };
  return {
    as,
    bus,
    servers,
    settings: full,
    adminUrl,
    models: createModels(connection),
    connection,
    /** Resolves with the events of a workspace as soon as there are `count`. */
    events: (workspaceId: string, count: number) =>
      until(() => {
        const own = events.filter((event) => event.workspaceId === workspaceId);
        return own.length >= count ? own : undefined;
      }),
    /** Publishes an event as another service would, and returns it. */
    publish: async (event: TautanEvent) => {
      await eventually(() => bus.publish(eventSubject(event.type), JSON.stringify(event), { id: event.id }));
      return event;
    },
    metric: async (name: string): Promise<number> => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    addReplica: async () => {
      const replica = await startReplica();
      replicas.push(replica);
      clients.push(clientsOf(replica.ports));
    },
    /** Adds a service process to the rotation; returns a function that removes it. */
    addClients: (ports: Running['ports']) => {
      const clientPair = clientsOf(ports);
      clients.push(clientPair);
      return () => {
        clients.splice(clients.indexOf(clientPair), 1);
        for (const client of Object.values(clientPair)) client.close();
      };
    },
    stopService: () => replicas[0]!.stop(),
    stop: async () => {
      for (const client of clients.flatMap((clientPair) => Object.values(clientPair))) client.close();
      for (const replica of replicas) await replica.stop();
      await bus.close();
      await connection.dropDatabase();
      await connection.close();
      await servers.stop();
    },
  };
}

/** Returns the principal of an API key with the role `admin`, in a new workspace or in the given one. */
export const aPrincipal = (workspaceId = newId('ws'), overrides: Partial<Principal> = {}): Principal => ({
  workspaceId,
  kind: 'api_key',
  id: newId('key'),
  name: 'a key',
  role: 'admin',
  plan: 'UNLIMITED',
  ip: '192.0.2.7',
  userAgent: 'test',
  requestId: newId('req'),
  ...overrides,
});

/** Returns a tag as contained in events. */
export const aTag = (overrides: Partial<EventData<'tag.created'>> = {}): EventData<'tag.created'> => ({
  id: newId('tag'),
  name: 'campaign',
  linkCount: 0,
  qrCodeCount: 0,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
  ...overrides,
});

/** Returns an event of another service, `tag.created` by default. */
export function anEvent<T extends EventType = 'tag.created'>(
  workspaceId: string,
  { type = 'tag.created' as T, data = aTag() as EventData<T>, ...rest }: Partial<TautanEvent<T>> = {},
): TautanEvent {
  return {
    id: newId('evt'),
    type,
    at: new Date().toISOString(),
    workspaceId,
    actor: { type: 'user', id: newId('usr'), name: 'Ayu' },
    requestId: null,
    ip: null,
    userAgent: null,
    target: { type: 'tag', id: 'tag', label: 'campaign' },
    changes: {},
    data,
    ...rest,
  };
}
