import {
  createLog,
  createMetrics,
  repeat,
  runProcess,
  serveAdmin,
  Stack,
  Turns,
  type Log,
  type Registry,
  type Running,
} from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, explainMongo, makeCollections, Outbox } from '@tautan/kit/mongo';
import { rpcClient, serveRpc, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto';
import { readQrConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { Renderer } from './image/renderer.js';
import { assertScannable } from './image/scannable.js';
import { repeatable, Routes } from './routes.js';
import { codeTable } from './rpc/codes.js';
import { imageTable } from './rpc/images.js';
import { DownloadTokenStore } from './store/download-tokens.js';
import { createStore, type Store } from './store/index.js';
import { LogoStore } from './store/logos.js';
import { createModels, type Models } from './store/models.js';
import type { Deps } from './usecases/deps.js';
import { checkLogo } from './usecases/find-logo.js';
import type { ImageDeps } from './usecases/image-deps.js';
import { sweepEnded, sweepLeft } from './usecases/sweep.js';

/** Starts the service. Rejects, with nothing left running, when a port is taken. */
export async function start(config: Config): Promise<Running> {
  const log = createLog('qr', config.LOG_LEVEL);
  const registry = createMetrics('qr');
  const stack = new Stack(log);
  try {
    const addresses = await wire(config, { log, registry, stack });
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

type Ground = { log: Log; registry: Registry; stack: Stack };

async function wire(config: Config, ground: Ground): Promise<Record<string, number>> {
  const { bus, mongo, models, outbox, links } = connect(config, ground);
  const store = createStore(models);
  const images = imageDeps(config, models, store);
  const deps: Deps = {
    store,
    routes: new Routes(links),
    transact: outbox.transact,
    turns: new Turns(),
    checkLogo: (workspaceId, logoRunRef) => checkLogo(images.logos, workspaceId, logoRunRef),
    checkScannable: (style) => assertScannable(style, config.BASE_URL),
    now: () => new Date(),
    leaseMs: config.LEASE_MS,
    abandonedMs: config.ABANDONED_MS,
    log: ground.log,
  };
  work(config, ground, { deps, bus, ready: mongo.ready });
  return serve(config, ground, [codeTable(deps), imageTable(images)], mongo.ready);
}

const tlsOf = ({ RPC_TLS_CA: ca, RPC_TLS_CERT: cert, RPC_TLS_KEY: key }: Config) => ({ ca, cert, key });

/** What the service works on: the bus, the database, the link service. */
function connect(config: Config, { log, registry, stack }: Ground) {
  const bus = new Bus({ url: config.NATS_URL, name: 'qr', replicas: config.NATS_REPLICAS, log });
  stack.add('bus', bus, () => bus.close());
  const mongo = connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    name: 'qr',
    log,
    prepare: async () => void (await Promise.all([makeCollections(models), outbox.prepare()])),
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const outbox = new Outbox({ connection: mongo.connection, bus, log, registry });
  stack.add('outbox', outbox, () => outbox.stop());
  const peer = { address: config.LINKS_ADDRESS, tls: tlsOf(config), idempotent: repeatable };
  const links = rpcClient(rpcServices.qrRoutes, peer);
  stack.add('links', links, async () => links.close());
  return { bus, mongo, models, outbox, links };
}

const imageDeps = (config: Config, models: Models, store: Store): ImageDeps => ({
  store,
  logos: new LogoStore(models.logos),
  downloadTokens: new DownloadTokenStore(models.downloadTokens),
  renderer: new Renderer(config.IMAGE_CACHE_MIB * 1024 * 1024),
  baseUrl: config.BASE_URL,
  tokenHours: config.DOWNLOAD_TOKEN_HOURS,
  now: () => new Date(),
});

/** What is done without being asked for: sweeps, and what events call for. */
function work(
  config: Config,
  { log, stack }: Ground,
  { deps, bus, ready }: { deps: Deps; bus: Bus; ready: () => boolean },
): void {
  const expiry = repeat(() => sweepEnded(deps), { name: 'expiry', everyMs: config.EXPIRY_SWEEP_MS, ready, log });
  stack.add('expiry', expiry, () => expiry.stop());
  const sweep = repeat(() => sweepLeft(deps), { name: 'sweep', everyMs: config.SWEEP_MS, ready, log });
  stack.add('sweep', sweep, () => sweep.stop());
  const consumers = startConsumers({ ...deps, bus });
  stack.add('consumers', consumers, () => consumers.stop());
}

async function serve(config: Config, { log, registry, stack }: Ground, tables: RpcTable[], ready: () => boolean) {
  const { BIND_HOST: host, DRAIN_TIMEOUT_MS: drainMs } = config;
  const options = { host, log, registry };
  const rpc = await serveRpc({ ...options, port: config.RPC_PORT, tables, explain: explainMongo, ready, tls: tlsOf(config) }); // prettier-ignore
  stack.add('rpc', rpc, () => rpc.stop(Math.max(100, drainMs - 1_000)));
  const admin = await serveAdmin({ ...options, port: config.ADMIN_PORT, ready: { mongodb: ready } });
  stack.add('admin', admin, () => admin.stop());
  return { grpc: rpc.port, admin: admin.port };
}

if (import.meta.filename === process.argv[1]) await runProcess('qr', () => start(readQrConfig()));
