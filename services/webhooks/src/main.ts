import {
  createLog,
  createMetrics,
  EgressGuard,
  runProcess,
  Sealing,
  serveAdmin,
  Stack,
  type EgressOptions,
  type Running,
} from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, explainMongo, Outbox } from '@tautan/kit/mongo';
import { serveRpc } from '@tautan/kit/rpc';
import { ClickSubscriptions } from './click-subscriptions.js';
import { LEASE_MARGIN_MS, readWebhooksConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { Deliverer } from './delivery/deliverer.js';
import { Sender } from './delivery/sender.js';
import { createMeters, gaugeDeliveries } from './metrics.js';
import { rpcTables } from './rpc.js';
import { Signals } from './signals.js';
import { createStore } from './store/index.js';
import { createModels, prepareCollections } from './store/models.js';
import { disableEndpoint } from './usecases/disable-endpoint.js';

/** What tests put in the place of the world. */
export interface World {
  now?: () => Date;
  random?: () => number;
  resolve?: EgressOptions['resolve'];
  ca?: string;
}

/** Starts the service. Rejects, with nothing left running, when a port is taken. */
export async function start(config: Config, world: World = {}): Promise<Running> {
  const log = createLog('webhooks', config.LOG_LEVEL);
  const registry = createMetrics('webhooks');
  const stack = new Stack(log);
  try {
    const addresses = await wire(config, world, { log, registry, stack });
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

type Ground = { log: ReturnType<typeof createLog>; registry: ReturnType<typeof createMetrics>; stack: Stack };

async function wire(config: Config, world: World, { log, registry, stack }: Ground): Promise<Record<string, number>> {
  const now = world.now ?? (() => new Date());
  const drainMs = Math.max(100, config.DRAIN_TIMEOUT_MS - 1_000);
  const bus = new Bus({ url: config.NATS_URL, name: 'webhooks', replicas: config.NATS_REPLICAS, log });
  stack.add('bus', bus, () => bus.close());
  const mongo = connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    name: 'webhooks',
    log,
    prepare: async () => {
      await prepareCollections(models, config.DELIVERY_RETENTION_DAYS);
      await outbox.prepare();
    },
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const store = createStore(models);
  const outbox = stack.add('outbox', new Outbox({ connection: mongo.connection, bus, log, registry }), (it) =>
    it.stop(),
  );
  const sealing = new Sealing(config.ENCRYPTION_KEYS);
  const guard = new EgressGuard({
    allowLoopback: config.ALLOW_LOOPBACK_ENDPOINTS,
    servers: config.DNS_SERVERS,
    ...(world.resolve && { resolve: world.resolve }),
  });
  const meters = createMeters(registry);
  const clickSubscriptions = new ClickSubscriptions(store, config.CLICK_BACKLOG);

  const signals = new Signals(bus);
  const { endpointChanged, wake } = signals;
  const deps = { store, transact: outbox.transact, sealing, guard, now, endpointChanged, wake };
  const sender = new Sender({
    guard,
    timeoutMs: config.ATTEMPT_TIMEOUT_MS,
    now,
    ...(world.ca !== undefined && { ca: world.ca }),
  });
  stack.add('sender', sender, () => sender.stop());
  const deliverer = new Deliverer(
    {
      ...deps,
      sender,
      random: world.random ?? Math.random,
      disable: (endpoint) => disableEndpoint(deps, endpoint),
      leaseReserveMs: config.ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS,
      observe: meters.observe,
      log,
    },
    {
      pollMs: config.POLL_MS,
      leaseMs: config.LEASE_MS,
      endpointsAtOnce: config.ENDPOINTS_AT_ONCE,
      ready: mongo.ready,
    },
  );
  stack.add('deliverer', deliverer, () => deliverer.stop(drainMs / 2));
  signals.onEndpointChanged(({ workspaceId, endpointId }) => {
    clickSubscriptions.forget(workspaceId);
    deliverer.forget(endpointId);
  });
  signals.onDue((endpointIds) => deliverer.wake(endpointIds));
  const consumers = startConsumers({ ...deps, bus, log, ready: mongo.ready, clickSubscriptions, leftOut: meters.leftOut }); // prettier-ignore
  stack.add('consumers', consumers, () => consumers.stop());
  gaugeDeliveries(registry, { store, deliverer, ready: mongo.ready, now });

  const rpc = await serveRpc({
    port: config.RPC_PORT,
    host: config.BIND_HOST,
    tables: rpcTables(deps),
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls: { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY },
  });
  stack.add('rpc', rpc, () => rpc.stop(drainMs));
  const admin = await serveAdmin({ port: config.ADMIN_PORT, host: config.BIND_HOST, registry, log, ready: { mongodb: mongo.ready } }); // prettier-ignore
  stack.add('admin', admin, () => admin.stop());
  return { grpc: rpc.port, admin: admin.port };
}

if (import.meta.filename === process.argv[1]) await runProcess('webhooks', () => start(readWebhooksConfig()));
