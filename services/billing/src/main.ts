import { createLog, createMetrics, runProcess, serveAdmin, Stack, type Principal, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, explainMongo, makeCollections, Outbox } from '@tautan/kit/mongo';
import { rpcClient, serveRpc } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto';
import { plansOf, readBillingConfig, stripeOf, type Config } from './config.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { createModels } from './store/models.js';

/** Starts the service, by the given clock. Rejects, with nothing left running, when a port is taken. */
export async function start(config: Config, now = (): Date => new Date()): Promise<Running> {
  const log = createLog('billing', config.LOG_LEVEL);
  const registry = createMetrics('billing');
  const stack = new Stack(log);
  try {
    const addresses = await wire(config, { log, registry, stack, now });
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

type Ground = {
  log: ReturnType<typeof createLog>;
  registry: ReturnType<typeof createMetrics>;
  stack: Stack;
  now: () => Date;
};

async function wire(config: Config, { log, registry, stack, now }: Ground): Promise<Record<string, number>> {
  const bus = new Bus({ url: config.NATS_URL, name: 'billing', replicas: config.NATS_REPLICAS, log });
  stack.add('bus', bus, () => bus.close());
  const mongo = connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    name: 'billing',
    log,
    prepare: async () => {
      await makeCollections(models);
      await outbox.prepare();
    },
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const outbox = stack.add('outbox', new Outbox({ connection: mongo.connection, bus, log, registry }), (it) =>
    it.stop(),
  );
  const tls = { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY };
  const address = config.WORKSPACES_ADDRESS;
  const workspaces = rpcClient(rpcServices.workspaces, { address, tls, idempotent: ['GetWorkspace'] });
  stack.add('workspaces', workspaces, async () => workspaces.close());
  const stripe = stripeOf(config);
  const provider = stripe && new StripeProvider(stripe, { log, registry, now });
  stack.add('provider', provider, async () => provider?.close());
  const rpc = await serveRpc({
    port: config.RPC_PORT,
    host: config.BIND_HOST,
    tables: rpcTables({
      store: createStore(models),
      transact: outbox.transact,
      provider,
      plans: plansOf(config),
      workspacePlan: async (principal: Principal) => {
        const { requestId } = principal;
        return (await workspaces.call('GetWorkspace', {}, { requestId, principal })).plan;
      },
      now,
    }),
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls,
  });
  stack.add('rpc', rpc, () => rpc.stop(Math.max(100, config.DRAIN_TIMEOUT_MS - 1_000)));
  const ready = { mongodb: mongo.ready };
  const admin = await serveAdmin({ port: config.ADMIN_PORT, host: config.BIND_HOST, registry, log, ready });
  stack.add('admin', admin, () => admin.stop());
  return { grpc: rpc.port, admin: admin.port };
}

if (import.meta.filename === process.argv[1]) await runProcess('billing', () => start(readBillingConfig()));
