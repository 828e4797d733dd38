import {
  EgressGuard,
  instanceOn,
  KeyedBatcher,
  KeyedMutex,
  runProcess,
  Sealing,
  type EgressOptions,
  type Running,
} from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import { watchUsage } from '@tautan/plans/usage';
import { usageTable } from '@tautan/plans/operator';
import { DeadLetters, isDuplicateKey } from '@tautan/kit/mongo';
import { deadLetterTable, encryptionTable } from '@tautan/kit/operator';
import { maintenanceCommand, startService, type ServiceContext } from '@tautan/kit/service';
import { ClickSubscriptions } from './click-subscriptions.js';
import { readWebhooksConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { Deliverer } from './delivery/deliverer.js';
import { Sender } from './delivery/sender.js';
import { contextOfSecrets } from './domain/secrets.js';
import { createMeters, gaugeDeliveries } from './metrics.js';
import { rpcTables } from './rpc.js';
import { Signals } from './signals.js';
import { createStore } from './store/index.js';
import { createModels, prepareCollections, type Models } from './store/models.js';
import { createCounters } from './store/usage.js';
import { disableEndpoint } from './usecases/disable-endpoint.js';
import { insertEndpoints, type NewEndpoint } from './steps/insert-endpoints.js';

/** Maximum number of endpoints that one transaction inserts. */
const MAX_INSERTED = 100;

/** Dependencies that tests replace. */
export interface Overrides {
  now?: () => Date;
  random?: () => number;
  resolve?: EgressOptions['resolve'];
  ca?: string;
}

/** Starts the service. Rejects, with nothing left running, if a port is in use. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const prepare = (models: Models) => prepareCollections(models, config.DELIVERY_RETENTION_DAYS);
  return startService({ name: 'webhooks', config, createModels, prepare }, (context) =>
    wire(config, context, overrides),
  );
}

function wire(
  config: Config,
  { log, registry, stack, bus, mongo, models, outbox, operators, runningWorkMs }: ServiceContext<Models>,
  overrides: Overrides,
) {
  const now = overrides.now ?? (() => new Date());
  const store = createStore(models);
  const sealing = new Sealing(config.ENCRYPTION_KEYS);
  const guard = new EgressGuard({
    allowLoopback: config.ALLOW_LOOPBACK_ENDPOINTS,
    servers: config.DNS_SERVERS,
    ...(overrides.resolve && { resolve: overrides.resolve }),
  });
  const meters = createMeters(registry);
  const clickSubscriptions = new ClickSubscriptions(store, config.CLICK_BACKLOG);

  const signals = new Signals(bus);
  const { endpointChanged, wake } = signals;
  const counters = createCounters(models);
  const mutex = new KeyedMutex();
  const base = { store, transact: outbox.transact, plans: plansOf(config), counters, now };
  const insertions = new KeyedBatcher<NewEndpoint, 'inserted'>({
    mutex,
    keyOf: ({ by }) => by.workspaceId,
    groupOf: ({ by }) => by.plan,
    maxItems: MAX_INSERTED,
    apply: (items) => insertEndpoints(base, items),
    isItemError: isDuplicateKey,
  });
  const deps = {
    ...base,
    mutex,
    retries: new Map(),
    insertions,
    sealing,
    guard,
    ports: config.ENDPOINT_PORTS,
    endpointChanged,
    wake,
  };
  const sender = new Sender({
    guard,
    timeoutMs: config.ATTEMPT_TIMEOUT_MS,
    now,
    lease: () => deliverer.lease,
    ...(overrides.ca !== undefined && { ca: overrides.ca }),
  });
  stack.add('sender', sender, () => sender.stop());
  const deliverer: Deliverer = new Deliverer(
    {
      ...deps,
      sender,
      random: overrides.random ?? Math.random,
      disable: (endpoint) => disableEndpoint(deps, endpoint),
      observe: meters.observe,
      log,
    },
    {
      pollMs: config.POLL_MS,
      leaseMs: config.LEASE_MS,
      instance: instanceOn(config.RPC_PORT),
      endpointsAtOnce: config.ENDPOINTS_AT_ONCE,
      ready: mongo.ready,
    },
  );
  stack.add('deliverer', deliverer, () => deliverer.stop(runningWorkMs / 2));
  signals.onEndpointChanged(({ workspaceId, endpointId }) => {
    clickSubscriptions.invalidate(workspaceId);
    deliverer.invalidate(endpointId);
  });
  signals.onDue((endpointIds) => deliverer.wake(endpointIds));
  bus.onChange((connected) => connected && deliverer.checkNow());
  const deadLetters = new DeadLetters(models.deadLetters);
  const sealed = { model: models.endpoints, fields: ['secrets'], contextOf: contextOfSecrets };
  operators.push(deadLetterTable(deadLetters), usageTable(counters, now), encryptionTable(sealed, sealing));
  const consumers = startConsumers({
    ...deps,
    bus,
    deadLetters,
    log,
    ready: mongo.ready,
    clickSubscriptions,
    countSkipped: meters.countSkipped,
  });
  stack.add('consumers', consumers, () => consumers.stop());
  const usage = watchUsage(counters, { everyMs: config.USAGE_CHECK_MS, registry, ready: mongo.ready, log, now });
  stack.add('usage check', usage, () => usage.stop());
  gaugeDeliveries(registry, { store, deliverer, ready: mongo.ready, now });

  return rpcTables(deps);
}

if (import.meta.filename === process.argv[1]) {
  const code = await maintenanceCommand(process.argv.slice(2), { name: 'webhooks', createModels });
  if (code !== undefined) process.exit(code);
  await runProcess('webhooks', () => start(readWebhooksConfig()));
}
