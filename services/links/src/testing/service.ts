import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, newId, newUlid, type Principal } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient, type Methods, type RequestIn, type ResponseOut, type RpcClient } from '@tautan/kit/rpc';
import { collectEvents, startServers, until } from '@tautan/kit/testing';
import {
  invalidations,
  parseEvent,
  type DomainsDefinition,
  type LinksDefinition,
  type QrRoutesDefinition,
  type StatsDefinition,
  type TagsDefinition,
  type TautanEvent,
  type UsageDefinition,
} from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import mongoose from 'mongoose';
import { readLinksConfig } from '../config.js';
import { start } from '../main.js';
import { createModels, type Models } from '../store/models.js';
import { unlimited } from './redirects.js';

/** RPC clients of one principal. */
export interface Caller {
  by: Principal;
  workspaceId: string;
  links: Calls<LinksDefinition>;
  usage: Calls<UsageDefinition>;
  tags: Calls<TagsDefinition>;
  domains: Calls<DomainsDefinition>;
  stats: Calls<StatsDefinition>;
  /** Calls on the routes of QR codes. */
  codes: Calls<QrRoutesDefinition>;
  export: () => AsyncIterable<ResponseOut<LinksDefinition, 'ExportLinks'>>;
  /** Creates the route of a QR code with valid defaults, or updates one. */
  aCode: (
    fields?: RequestIn<QrRoutesDefinition, 'PutQrRoute'>,
  ) => Promise<ResponseOut<QrRoutesDefinition, 'PutQrRoute'>>;
  /** Creates a link with valid defaults. */
  aLink: (fields?: RequestIn<LinksDefinition, 'CreateLink'>) => Promise<ResponseOut<LinksDefinition, 'CreateLink'>>;
}
type Calls<D> = <M extends Methods<D>>(method: M, request: RequestIn<D, M>) => Promise<ResponseOut<D, M>>;

/** A running link service with its own database, and access to its data. */
export interface TestService {
  /** Returns RPC clients that act as `by`; default: a new principal in a new workspace. */
  as(by?: Principal): Caller;
  /** The service's collections, on a separate connection. */
  models: Models;
  /** Resolves with a workspace's events in the order of their ids, once there are at least `count`. */
  events(workspaceId: string, count: number): Promise<TautanEvent[]>;
  /** Routing keys invalidated so far. */
  invalidated: string[];
  settings: Record<string, string>;
  ports: Record<string, number>;
  stop(): Promise<void>;
}

/** Starts the api role, or the roles in `settings.ROLES`, on free ports and a new database. Resolves when ready. */
export async function startService(settings: Record<string, string> = {}): Promise<TestService> {
  const servers = await startServers();
  const folder = await mkdtemp(join(tmpdir(), 'tautan-clicks-'));
  const full = {
    ROLES: 'api',
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    BASE_URL: 'https://go.example.com',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    REDIRECT_PORT: '0',
    ...unlimited,
    EXPIRY_SWEEP_MS: '3600000',
    SPILL_DIR: folder,
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: `links_test_${newUlid()}`,
    NATS_URL: servers.natsUrl,
    ...settings,
  };
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  const invalidated: string[] = [];
  const events = collectEvents(bus, 'events.>', parseEvent);
  bus.listen(invalidations.redirect, (keys) => void invalidated.push(...(keys as { keys: string[] }).keys));
  await until(() => bus.connected);
  const running = await start(readLinksConfig(full));
  await until(async () => (await fetch(`http://127.0.0.1:${running.ports['admin']}/readyz`)).ok);
  const connection = await mongoose
    .createConnection(full.MONGODB_URI, { dbName: full.MONGODB_DATABASE, autoIndex: false })
    .asPromise();
  const address = `127.0.0.1:${running.ports['grpc']}`;
  const links: RpcClient<LinksDefinition> = rpcClient(rpcServices.links, { address });
  const usage: RpcClient<UsageDefinition> = rpcClient(rpcServices.usage, { address });
  const tags: RpcClient<TagsDefinition> = rpcClient(rpcServices.tags, { address });
  const domains: RpcClient<DomainsDefinition> = rpcClient(rpcServices.domains, { address });
  const codes: RpcClient<QrRoutesDefinition> = rpcClient(rpcServices.qrRoutes, { address });
  const stats: RpcClient<StatsDefinition> = rpcClient(rpcServices.stats, { address });
  return {
    as: (by = aPrincipal()) => {
      const options = { requestId: by.requestId, principal: by, timeoutMs: 15_000 };
      return {
        by,
        workspaceId: by.workspaceId,
        links: (method, request) => links.call(method, request, options),
        usage: (method, request) => usage.call(method, request, options),
        tags: (method, request) => tags.call(method, request, options),
        domains: (method, request) => domains.call(method, request, options),
        stats: (method, request) => stats.call(method, request, options),
        codes: (method, request) => codes.call(method, request, options),
        aCode: ({ url, linkId, ...fields } = {}) => {
          const destination = linkId === undefined ? { url: url ?? 'https://example.com/poster' } : { linkId };
          return codes.call(
            'PutQrRoute',
            { qrCodeId: newId('qr'), version: 1, status: 'active', ...destination, ...fields },
            options,
          );
        },
        export: () => links.stream('ExportLinks', {}, options),
        aLink: (fields = {}) => links.call('CreateLink', { url: 'https://example.com/page', ...fields }, options),
      };
    },
    models: createModels(connection),
    events: (workspaceId, count) =>
      until(() => {
        const own = events.filter((event) => event.workspaceId === workspaceId);
        return own.length >= count ? own.sort((a, b) => (a.id < b.id ? -1 : 1)) : undefined;
      }),
    invalidated,
    settings: full,
    ports: running.ports,
    stop: async () => {
      links.close();
      usage.close();
      tags.close();
      domains.close();
      stats.close();
      codes.close();
      await running.stop();
      await bus.close();
      await connection.dropDatabase();
      await connection.close();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a principal in a new workspace, or in the given one. */
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
