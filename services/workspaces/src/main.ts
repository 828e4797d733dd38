import { createLog, createMetrics, runProcess, serveAdmin, Stack, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, explainMongo, Outbox } from '@tautan/kit/mongo';
import { serveRpc } from '@tautan/kit/rpc';
import { invalidations } from '@tautan/proto';
import { Background } from './background.js';
import { readWorkspacesConfig, type Config } from './config.js';
import { rpcTables } from './rpc.js';
import { apiKeyStore } from './store/api-keys.js';
import { idempotentRequestStore } from './store/idempotent-requests.js';
import { createModels, prepareCollections } from './store/models.js';
import { workspaceStore } from './store/workspaces.js';

/** Starts the service. Rejects, with nothing left running, when a port is taken. */
export async function start(config: Config): Promise<Running> {
  const log = createLog('workspaces', config.LOG_LEVEL);
  const registry = createMetrics('workspaces');
  const stack = new Stack(log);
  try {
    const addresses = await wire(config, { log, registry, stack });
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

type Ground = { log: ReturnType<typeof createLog>; registry: ReturnType<typeof createMetrics>; stack: Stack };

async function wire(config: Config, { log, registry, stack }: Ground): Promise<Record<string, number>> {
  const bus = new Bus({ url: config.NATS_URL, name: 'workspaces', replicas: config.NATS_REPLICAS, log });
  stack.add('bus', bus, () => bus.close());
  const mongo = connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    name: 'workspaces',
    log,
    prepare: async () => {
      await prepareCollections(models);
      await outbox.prepare();
    },
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const outbox = new Outbox({ connection: mongo.connection, bus, log, registry });
  stack.add('outbox', outbox, () => outbox.stop());
  const background = stack.add('background', new Background(log), (work) => work.settled());

  const apiKeys = apiKeyStore(models);
  const tables = rpcTables({
    workspaces: workspaceStore(models),
    apiKeys,
    requests: idempotentRequestStore(models),
    transact: outbox.transact,
    noteUse: (id, at) => background.run(`use of ${id}`, () => apiKeys.noteUse(id, at)),
    dropCredentials: (apiKeyIds) => void bus.notify(invalidations.credential, { apiKeyIds }),
    now: () => new Date(),
  });
  const rpc = await serveRpc({
    port: config.RPC_PORT,
    host: config.BIND_HOST,
    tables,
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls: { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY },
  });
  stack.add('rpc', rpc, () => rpc.stop(Math.max(100, config.DRAIN_TIMEOUT_MS - 1_000)));
  const ready = { mongodb: mongo.ready };
  const admin = await serveAdmin({ port: config.ADMIN_PORT, host: config.BIND_HOST, registry, log, ready });
  stack.add('admin', admin, () => admin.stop());
  return { grpc: rpc.port, admin: admin.port };
}

if (import.meta.filename === process.argv[1]) await runProcess('workspaces', () => start(readWorkspacesConfig()));
