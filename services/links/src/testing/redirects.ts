import { createCollections } from '@tautan/kit/mongo';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, newId, newUlid, TRANSACTION_LIFETIME_LIMIT_SECONDS, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { until } from '@tautan/kit/testing';
import { startMongo } from '@tautan/local-mongo';
import { startNats } from '@tautan/local-nats';
import { invalidations } from '@tautan/proto';
import mongoose from 'mongoose';
import { environment, readLinksConfig } from '../config.js';
import type { Link } from '../links/domain/link.js';
import { newLink } from '../links/domain/new-link.js';
import { routeKey, type Route } from '../redirects/domain/route.js';
import { start } from '../main.js';
import { createModels, type Models } from '../store/models.js';
import { aDraft } from './links.js';

/** Disables the request budgets of client addresses, because tests send all visits from one address. */
export const unlimited = { REDIRECT_BUDGET_UNKNOWN: '0', REDIRECT_BUDGET_LIMITED: '0' };

/** A server that a test can stop and restart, with its data and at the same address. */
export interface Server {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** The route of a link. */
export type LinkRoute = Route & { linkId: string };

export interface Fixture {
  /** `stop` and `start` have no effect on a server that is specified by MONGODB_URI. */
  mongo: Server;
  /** `stop` and `start` have no effect on a server that is specified by NATS_URL or by the test. */
  nats: Server;
  bus: Bus;
  models: Models;
  /** Temporary folder for data and spill files; deleted by `stop`. */
  folder: string;
  /** Default settings of roles. */
  settings: Record<string, string>;
  /** Starts roles in this process. */
  roles(roles: string, settings?: Record<string, string>): Promise<Running>;
  /** Starts roles in a child process. */
  child(roles: string, settings?: Record<string, string>): Promise<{ process: ChildProcess; ports: Running['ports'] }>;
  /** Writes a link and its route with valid defaults, and invalidates the route as the api role does. */
  aRoute(fields?: Partial<LinkRoute>): Promise<LinkRoute>;
  /** Updates a stored route, and invalidates it. */
  change(route: Route, update: Partial<Route>): Promise<void>;
  /** Returns the stored link with its counters. */
  link(route: Route): Promise<Link>;
  stop(): Promise<void>;
}

/**
 * Connects to a new database and to a bus, for tests of redirects and statistics. With `own`, starts embedded servers
 * even if the environment names others. `natsUrl` names a NATS server that the test has started.
 */
export async function startFixture({
  own = false,
  natsUrl,
}: { own?: boolean; natsUrl?: string } = {}): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-redirects-'));
  const { MONGODB_URI, NATS_URL } = {
    ...(own ? {} : environment),
    ...(natsUrl && { NATS_URL: natsUrl }),
  } as NodeJS.ProcessEnv;
  const mongo = MONGODB_URI
    ? externalServer(MONGODB_URI)
    : await embeddedServer(
        (port) =>
          startMongo({
            dataDir: join(folder, 'mongo'),
            port,
            transactionLifetimeLimitSeconds: TRANSACTION_LIFETIME_LIMIT_SECONDS,
          }),
        (server) => server.uri,
      );
  const nats = NATS_URL
    ? externalServer(NATS_URL)
    : await embeddedServer(
        (port) => startNats({ dataDir: join(folder, 'nats'), port }),
        (server) => server.url,
      );
  const base = {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    BASE_URL: 'https://go.example.com',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    REDIRECT_PORT: '0',
    SPILL_DIR: join(folder, 'clicks'),
    ...unlimited,
    MONGODB_URI: mongo.address,
    MONGODB_DATABASE: `redirects_test_${newUlid()}`,
    NATS_URL: nats.address,
  };
  const bus = new Bus({ url: nats.address, name: 'test', log: createLog('test', 'silent') });
  const options = { dbName: base.MONGODB_DATABASE, autoIndex: false, serverSelectionTimeoutMS: 5_000 };
  const connection = await mongoose.createConnection(base.MONGODB_URI, options).asPromise();
  const models = createModels(connection);
  await createCollections(models);
  await until(() => bus.connected);
  const running = new Set<Running>();
  const children = new Set<ChildProcess>();
  const invalidate = (key: string) => bus.notify(invalidations.redirect, { keys: [key] });
  return {
    mongo,
    nats,
    bus,
    models,
    folder,
    settings: base,
    roles: async (roles, settings) => {
      const started = await start(readLinksConfig({ ...base, ROLES: roles, ...settings }));
      running.add(started);
      await until(async () => (await fetch(`http://127.0.0.1:${started.ports['admin']}/readyz`)).ok);
      return started;
    },
    child: async (roles, settings) => {
      const env = { PATH: environment['PATH'], ...base, ROLES: roles, ...settings };
      const child = fork(join(import.meta.dirname, '..', 'main.js'), { env, execArgv: [] });
      children.add(child);
      const [{ ports }] = (await once(child, 'message')) as [{ ports: Running['ports'] }];
      return { process: child, ports };
    },
    aRoute: async (fields) => {
      const route = routeOf(fields);
      await models.links.create(linkOf(route));
      await models.routes.create(route);
      invalidate(route._id);
      return route;
    },
    change: async (route, update) => {
      await models.routes.updateOne({ _id: route._id }, { $set: update });
      invalidate(route._id);
    },
    link: async (route) => (await models.links.findById(route.linkId).lean<Link>())!,
    stop: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([...running].map((each) => each.stop()));
      await bus.close();
      // An embedded database is deleted with its folder. Dropping it would block if the test has stopped its server.
      if (MONGODB_URI) await connection.dropDatabase().catch(() => undefined);
      await connection.close();
      await nats.stop();
      await mongo.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a request, GET by default. Returns the response without following redirects. */
export function visit(
  port: number,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> & { method?: string } = {},
): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: visitors,
      headers: { 'user-agent': aBrowser, ...headers },
    });
    call.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response
        .on('error', reject)
        .on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    call.end();
  });
}

/** The response to a visit. */
export interface Visit {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export const aBrowser = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const visitors = new Agent({ keepAlive: true, maxSockets: 64 });

function routeOf(fields: Partial<LinkRoute> = {}): LinkRoute {
  return {
    _id: routeKey(null, newUlid()),
    workspaceId: 'ws_01jd0000000000000000000000',
    linkId: newId('lnk'),
    qrId: null,
    via: 'link',
    url: 'https://example.com/page',
    status: 'active',
    expiresAt: null,
    maxClicks: null,
    remaining: fields.maxClicks ?? null,
    purgeAt: null,
    ...fields,
  };
}

function linkOf({ _id, linkId, workspaceId, url, maxClicks, expiresAt }: LinkRoute): Link {
  const slug = _id.slice(_id.indexOf('/') + 1);
  const domain = _id.startsWith('/') ? null : _id.slice(0, _id.indexOf('/'));
  const createdAt = new Date();
  const draft = { ...aDraft(), domain, url, expiresAt, maxClicks };
  const createdBy = { type: 'api_key' as const, id: newId('key') };
  return newLink(draft, {
    id: linkId,
    workspaceId,
    slug,
    createdBy,
    createdAt,
    countedIn: createdAt.toISOString().slice(0, 7),
  });
}

const externalServer = (address: string): Server & { address: string } => ({
  address,
  start: async () => {},
  stop: async () => {},
});

async function embeddedServer<T extends { port: number; stop(): Promise<void> }>(
  open: (port: number) => Promise<T>,
  addressOf: (server: T) => string,
) {
  let server: T | undefined = await open(0);
  const { port } = server;
  return {
    address: addressOf(server),
    start: async () => void (server ??= await open(port)),
    stop: async () => {
      await server?.stop();
      server = undefined;
    },
  };
}
