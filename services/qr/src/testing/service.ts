import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, newId, newUlid, type Principal, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient, type Methods, type RequestIn, type ResponseOut } from '@tautan/kit/rpc';
import { collectEvents, startServers, until, type TestServers } from '@tautan/kit/testing';
import { readLinksConfig, start as startLinks } from '@tautan/links';
import {
  eventSubject,
  parseEvent,
  type LinksDefinition,
  type QrCodesDefinition,
  type QrImagesDefinition,
  type TagsDefinition,
  type TautanEvent,
} from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import mongoose from 'mongoose';
import { readQrConfig } from '../config.js';
import { start } from '../main.js';
import { createModels } from '../store/models.js';
import { startFaultProxy } from './fault-proxy.js';

export type TestService = Awaited<ReturnType<typeof startService>>;
export type Caller = ReturnType<TestService['as']>;
export type QrCodeMessage = ResponseOut<QrCodesDefinition, 'GetQrCode'>;

const common = {
  LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  BIND_HOST: '127.0.0.1',
  RPC_PORT: '0',
  OPERATOR_PORT: '0',
  ADMIN_PORT: '0',
};
const BASE_URL = 'https://go.example.com';
const HUMAN = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * Starts the service on free ports with its own MongoDB and NATS servers, and the real link service behind a
 * fault-injecting proxy. The sweep of unfinished records runs every 50 ms while there are such records, otherwise every
 * 5 s. The other sweeps run once an hour, unless `settings` change their intervals.
 */
export async function startService(settings: Record<string, string> = {}) {
  const servers = await startServers();
  const folder = await mkdtemp(join(tmpdir(), 'tautan-qr-'));
  const links = await startLinks(readLinksConfig(linksSettings(servers, folder)));
  const linkProxy = await startFaultProxy(`127.0.0.1:${links.ports['grpc']}`);
  const full = {
    ...common,
    BASE_URL,
    LINKS_ADDRESS: linkProxy.address,
    EXPIRY_SWEEP_MS: '3600000',
    SWEEP_MS: '50',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: `qr_test_${newUlid()}`,
    NATS_URL: servers.natsUrl,
    ...settings,
  };
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  const published = collectEvents(bus, 'events.>', parseEvent);
  await until(() => bus.connected);
  const replicas = [await start(readQrConfig(full))];
  for (const each of [links, ...replicas]) await untilReady(each);
  const connection = await mongoose
    .createConnection(full.MONGODB_URI, { dbName: full.MONGODB_DATABASE, autoIndex: false, autoCreate: false })
    .asPromise();
  const clientsOf = ({ ports }: Pick<Running, 'ports'>) => {
    const address = `127.0.0.1:${ports['grpc']}`;
    return {
      codes: rpcClient(rpcServices.qrCodes, { address }),
      images: rpcClient(rpcServices.qrImages, { address }),
      usage: rpcClient(rpcServices.usage, { address }),
    };
  };
  const qrClients = [clientsOf(replicas[0]!)];
  const clients = {
    links: rpcClient(rpcServices.links, { address: `127.0.0.1:${links.ports['grpc']}` }),
    tags: rpcClient(rpcServices.tags, { address: `127.0.0.1:${links.ports['grpc']}` }),
  };

  let turn = 0;
  const next = () => qrClients[turn++ % qrClients.length]!;
  /**
   * Returns functions that make calls as a principal, by default in a new workspace. Calls rotate over the replicas.
   */
  const as = (by: Principal = aPrincipal(), timeoutMs = 15_000) => {
    const options = { requestId: by.requestId, principal: by, timeoutMs };
    const call = <M extends Methods<QrCodesDefinition>>(method: M, request: RequestIn<QrCodesDefinition, M>) =>
      next().codes.call(method, request, options);
    return {
      by,
      workspaceId: by.workspaceId,
      call,
      images: <M extends Methods<QrImagesDefinition>>(method: M, request: RequestIn<QrImagesDefinition, M>) =>
        next().images.call(method, request, options),
      /** Returns the number of QR codes that count toward the plan limit. */
      usage: async () => (await next().usage.call('GetUsage', {}, options)).used['qrCodes'],
      links: <M extends Methods<LinksDefinition>>(method: M, request: RequestIn<LinksDefinition, M>) =>
        clients.links.call(method, request, options),
      tags: <M extends Methods<TagsDefinition>>(method: M, request: RequestIn<TagsDefinition, M>) =>
        clients.tags.call(method, request, options),
      /** Creates a QR code with valid defaults. */
      aCode: ({ linkId, ...fields }: RequestIn<QrCodesDefinition, 'CreateQrCode'> = {}) =>
        call('CreateQrCode', { ...(linkId ? { linkId } : { url: 'https://example.com/page' }), ...fields }),
      aLink: (fields: RequestIn<LinksDefinition, 'CreateLink'> = {}) =>
        clients.links.call('CreateLink', { url: 'https://example.com/page', ...fields }, options),
      get: (id: string) => call('GetQrCode', { id }),
      update: (id: string, fields: Omit<RequestIn<QrCodesDefinition, 'UpdateQrCode'>, 'id'>) =>
        call('UpdateQrCode', { id, clear: [], ...fields }),
    };
  };
  return {
    as,
    bus,
    linkProxy,
    settings: full,
    connection,
    models: createModels(connection),
    /** Resolves with the QR code events of a workspace as soon as there are `count`. */
    events: (workspaceId: string, count: number) =>
      until(() => {
        const own = published.filter((event) => event.workspaceId === workspaceId && event.target.type === 'qr_code');
        return own.length >= count ? own : undefined;
      }),
    /** Publishes an event as another service would. */
    publish: (event: TautanEvent) => bus.publish(eventSubject(event.type), JSON.stringify(event), { id: event.id }),
    /** Scans as a human; returns the HTTP status. */
    scan: async (slug: string) => {
      const address = `http://127.0.0.1:${links.ports['http']}/${slug}`;
      return (await fetch(address, { redirect: 'manual', headers: { 'user-agent': HUMAN } })).status;
    },
    addReplica: async () => {
      const replica = await start(readQrConfig(full));
      replicas.push(replica);
      qrClients.push(clientsOf(replica));
      await untilReady(replica);
    },
    /** Adds a service process to the rotation; returns a function that removes it. */
    addClients: (ports: Running['ports']) => {
      const clientSet = clientsOf({ ports });
      qrClients.push(clientSet);
      return () => {
        qrClients.splice(qrClients.indexOf(clientSet), 1);
        for (const client of Object.values(clientSet)) client.close();
      };
    },
    /** Returns the sum of a metric over labels and replicas. */
    metric: async (name: string): Promise<number> => {
      const texts = await Promise.all(
        replicas.map(async ({ ports }) => (await fetch(`http://127.0.0.1:${ports['admin']}/metrics`)).text()),
      );
      const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith(`${name}{`));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    stop: async () => {
      for (const client of [...qrClients.flatMap((clientSet) => Object.values(clientSet)), ...Object.values(clients)])
        client.close();
      for (const each of replicas) await each.stop();
      await linkProxy.stop();
      await links.stop();
      await bus.close();
      await connection.dropDatabase();
      await connection.close();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const linksSettings = ({ mongodbUri, natsUrl }: TestServers, folder: string) => ({
  ...common,
  BASE_URL,
  REDIRECT_PORT: '0',
  SPILL_DIR: folder,
  MONGODB_URI: mongodbUri,
  MONGODB_DATABASE: `links_test_${newUlid()}`,
  NATS_URL: natsUrl,
});

const untilReady = ({ ports }: Running) =>
  until(async () => (await fetch(`http://127.0.0.1:${ports['admin']}/readyz`)).ok);

/** Returns a principal in a new workspace, or in the given one. */
export const aPrincipal = (workspaceId = newId('ws'), overrides: Partial<Principal> = {}): Principal => ({
  workspaceId,
  kind: 'user',
  id: newId('usr'),
  name: 'Ayu',
  role: 'member',
  plan: 'UNLIMITED',
  ip: '192.0.2.7',
  userAgent: 'test',
  requestId: newId('req'),
  ...overrides,
});
