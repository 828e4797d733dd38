import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, newId, newUlid, type Principal, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient, type Methods, type RequestIn, type ResponseOut } from '@tautan/kit/rpc';
import { startServers, until, type TestServers } from '@tautan/kit/testing';
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
import { startFront } from './front.js';

export type TestService = Awaited<ReturnType<typeof startService>>;
export type Caller = ReturnType<TestService['as']>;
export type QrCodeMessage = ResponseOut<QrCodesDefinition, 'GetQrCode'>;

const common = { LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent', BIND_HOST: '127.0.0.1', RPC_PORT: '0', OPERATOR_PORT: '0', ADMIN_PORT: '0' }; // prettier-ignore
const BASE_URL = 'https://go.example.com';
const HUMAN = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * The service with the real link service behind a way that can be broken, on free ports with servers of their own. It
 * sweeps often, but expiries only where `settings` say so.
 */
export async function startService(settings: Record<string, string> = {}) {
  const servers = await startServers();
  const folder = await mkdtemp(join(tmpdir(), 'tautan-qr-'));
  const links = await startLinks(readLinksConfig(linksSettings(servers, folder)));
  const front = await startFront(`127.0.0.1:${links.addresses['grpc']}`);
  const full = {
    ...common,
    BASE_URL,
    LINKS_ADDRESS: front.address,
    EXPIRY_SWEEP_MS: '3600000',
    SWEEP_MS: '50',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: `qr_test_${newUlid()}`,
    NATS_URL: servers.natsUrl,
    ...settings,
  };
  const told: TautanEvent[] = [];
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  bus.listen('events.>', (event) => void told.push(parseEvent(event)));
  await until(() => bus.connected);
  const replicas = [await start(readQrConfig(full))];
  for (const each of [links, ...replicas]) await isReady(each);
  const connection = await mongoose.createConnection(full.MONGODB_URI, { dbName: full.MONGODB_DATABASE, autoIndex: false, autoCreate: false }).asPromise(); // prettier-ignore
  const clientsOf = ({ addresses }: Pick<Running, 'addresses'>) => {
    const address = `127.0.0.1:${addresses['grpc']}`;
    return {
      codes: rpcClient(rpcServices.qrCodes, { address }),
      images: rpcClient(rpcServices.qrImages, { address }),
      usage: rpcClient(rpcServices.usage, { address }),
    };
  };
  const peers = [clientsOf(replicas[0]!)];
  const clients = {
    links: rpcClient(rpcServices.links, { address: `127.0.0.1:${links.addresses['grpc']}` }),
    tags: rpcClient(rpcServices.tags, { address: `127.0.0.1:${links.addresses['grpc']}` }),
  };

  let turn = 0;
  const next = () => peers[turn++ % peers.length]!;
  /** Calls as someone, by default in a workspace of their own; each call to the next replica. */
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
      /** QR codes that the workspace uses of its plan's limit. */
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
    front,
    settings: full,
    connection,
    models: createModels(connection),
    /** What was told of a workspace's QR codes until now, as soon as there are `count`. */
    events: (workspaceId: string, count: number) =>
      until(() => {
        const own = told.filter((event) => event.workspaceId === workspaceId && event.target.type === 'qr_code');
        return own.length >= count ? own : undefined;
      }),
    /** Tells an event as another service would. */
    tell: (event: TautanEvent) => bus.publish(eventSubject(event.type), JSON.stringify(event), { id: event.id }),
    /** Scans as a person does; answers the status. */
    scan: async (slug: string) => {
      const address = `http://127.0.0.1:${links.addresses['http']}/${slug}`;
      return (await fetch(address, { redirect: 'manual', headers: { 'user-agent': HUMAN } })).status;
    },
    addReplica: async () => {
      const replica = await start(readQrConfig(full));
      replicas.push(replica);
      peers.push(clientsOf(replica));
      await isReady(replica);
    },
    /** Sends calls to a service process as well; returns a function that ends this. */
    addPeer: (addresses: Running['addresses']) => {
      const peer = clientsOf({ addresses });
      peers.push(peer);
      return () => {
        peers.splice(peers.indexOf(peer), 1);
        for (const client of Object.values(peer)) client.close();
      };
    },
    /** Sum of a metric over labels and replicas. */
    metric: async (name: string): Promise<number> => {
      const texts = await Promise.all(replicas.map(async ({ addresses }) => (await fetch(`http://127.0.0.1:${addresses['admin']}/metrics`)).text())); // prettier-ignore
      const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith(`${name}{`));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    stop: async () => {
      for (const client of [...peers.flatMap((peer) => Object.values(peer)), ...Object.values(clients)]) client.close();
      for (const each of replicas) await each.stop();
      await front.stop();
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

const isReady = ({ addresses }: Running) =>
  until(async () => (await fetch(`http://127.0.0.1:${addresses['admin']}/readyz`)).ok);

/** Someone in a workspace of their own, or in the one given. */
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
