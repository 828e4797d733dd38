import { Counter, Batcher, KeyedMutex, startInterval, runProcess, type Running } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import { maintenanceCommand, startService, type ServiceContext } from '@tautan/kit/service';
import { readBillingConfig, stripeOf, type Config } from './config.js';
import { ReturnUrls } from './domain/return-urls.js';
import { KeyedQueue } from './keyed-queue.js';
import { Lease } from './lease.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { createModels, type Models } from './store/models.js';
import type { CustomerWebhook } from './store/webhooks.js';
import type { Deps, SyncDeps } from './usecase-deps.js';
import { createMissingRecords } from './usecases/create-missing-records.js';
import { handleWebhooks } from './usecases/handle-webhooks.js';
import { storeWebhooks } from './usecases/store-webhooks.js';
import { reconcileSubscriptions, type ReconcileDeps } from './usecases/reconcile-subscriptions.js';

/** Maximum number of customers whose webhooks are handled concurrently. Bounds the requests to the provider. */
const WEBHOOK_CONCURRENCY = 8;
/** Interval in ms of the sweep for waiting webhooks: those whose handling failed or was lost in a crash. */
const WEBHOOK_SWEEP_MS = 1_000;
/** Interval in ms of that sweep while no webhooks are waiting. */
const IDLE_WEBHOOK_SWEEP_MS = 5_000;
/** Maximum number of waiting webhooks that one sweep reads. */
const MAX_SWEPT_WEBHOOKS = 200;
/** Maximum number of webhooks that are stored together, and how long the first one waits for others, milliseconds. */
const MAX_WEBHOOK_BATCH = 100;
const WEBHOOK_LINGER_MS = 5;
/** Maximum time between two passes of the reconciliation, milliseconds. */
const MAX_RECONCILE_TICK_MS = 60_000;
/** Number of searches per `RECONCILE_INTERVAL_MS` for customers that have no record. */
const SEARCHES_PER_INTERVAL = 10;
/**
 * Time without a renewal after which another replica takes over the reconciliation, milliseconds. Longer than the
 * maximum time between two renewals: the time between two passes plus the time to reconcile one subscription.
 */
const RECONCILE_LEASE_MS = 180_000;

/** Starts the service, with the given clock. Rejects, with nothing left running, if a port is in use. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'billing', config, createModels }, (context) => wire(config, context, now));

function wire(config: Config, context: ServiceContext<Models>, now: () => Date) {
  const { log, registry, stack, models, outbox } = context;
  const stripe = stripeOf(config);
  const provider = stripe && new StripeProvider(stripe, { log, registry, now });
  stack.add('provider', provider, async () => provider?.close());
  const deps = { store: createStore(models), transact: outbox.transact, now };
  const webhookQueue = provider && startWebhookHandling({ ...deps, provider }, context);
  if (provider) {
    const syncDeps = { ...deps, provider, intervalMs: config.RECONCILE_INTERVAL_MS };
    startReconciliation(syncDeps, context);
    startCustomerSearch(syncDeps, context);
  }
  return rpcTables({
    ...deps,
    provider,
    plans: plansOf(config),
    returnUrls: new ReturnUrls(config.BASE_URL ?? 'http://localhost', config.RETURN_ORIGINS),
    storeWebhook: webhookIntake(deps, webhookQueue),
    mutex: new KeyedMutex(),
  });
}

/** Batches the storing of webhooks, so that a burst needs few round trips. */
function webhookIntake(deps: Pick<SyncDeps, 'store' | 'now'>, queue: KeyedQueue | undefined): Deps['storeWebhook'] {
  const batcher = new Batcher<CustomerWebhook, void>({
    maxSize: MAX_WEBHOOK_BATCH,
    concurrency: 1,
    lingerMs: WEBHOOK_LINGER_MS,
    apply: async (webhooks) => {
      for (const customerId of await storeWebhooks(deps, webhooks)) queue?.add(customerId);
      return webhooks.map(() => undefined);
    },
  });
  return (webhook) => batcher.run(webhook);
}

/** Handles webhooks as soon as they are stored, and sweeps for waiting ones. */
function startWebhookHandling(deps: SyncDeps, { log, stack, mongo }: ServiceContext<Models>): KeyedQueue {
  const work = async (customerId: string): Promise<void> => {
    while (await handleWebhooks({ ...deps, log }, { customerId }));
  };
  const queue = stack.add('webhooks', new KeyedQueue({ work, concurrency: WEBHOOK_CONCURRENCY, log }), (it) =>
    it.stop(),
  );
  const sweep = async (): Promise<boolean> => {
    const { due, areWaiting } = await deps.store.webhooks.dueCustomers(deps.now(), MAX_SWEPT_WEBHOOKS);
    for (const customerId of due) queue.add(customerId);
    return areWaiting;
  };
  const options = {
    name: 'webhooks',
    everyMs: WEBHOOK_SWEEP_MS,
    idleMs: IDLE_WEBHOOK_SWEEP_MS,
    ready: mongo.ready,
    log,
  };
  stack.add('webhook sweep', startInterval(sweep, options), (it) => it.stop());
  return queue;
}

/** Compares subscriptions with the provider, on one replica at a time. */
function startReconciliation(
  deps: SyncDeps & Pick<ReconcileDeps, 'intervalMs'>,
  { log, registry, stack, mongo }: ServiceContext<Models>,
): void {
  const reconciled = new Counter({
    name: 'tautan_subscriptions_reconciled_total',
    help: 'Subscriptions compared with the payment provider, by outcome (unchanged, changed, failed)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const everyMs = Math.min(deps.intervalMs / 10, MAX_RECONCILE_TICK_MS);
  const lease = new Lease(deps.store.leases, 'reconciliation', RECONCILE_LEASE_MS);
  const count: ReconcileDeps['count'] = (outcome) => reconciled.inc({ outcome });
  const stopping = new AbortController();
  const pass = (): Promise<void> =>
    reconcileSubscriptions({ ...deps, holdsLease: () => lease.hold(), count, log, signal: stopping.signal });
  const job = startInterval(pass, { name: 'reconciliation', everyMs, ready: mongo.ready, log });
  stack.add('reconciliation', job, (it) => {
    stopping.abort();
    return it.stop();
  });
}

/** Looks for customers at the provider that have no record here. */
function startCustomerSearch(
  deps: SyncDeps & Pick<ReconcileDeps, 'intervalMs'>,
  { log, stack, mongo }: ServiceContext<Models>,
): void {
  const name = 'search for customers';
  const everyMs = deps.intervalMs / SEARCHES_PER_INTERVAL;
  const job = startInterval(() => createMissingRecords(deps), { name, everyMs, ready: mongo.ready, log });
  stack.add(name, job, (it) => it.stop());
}

if (import.meta.filename === process.argv[1]) {
  const code = await maintenanceCommand(process.argv.slice(2), { name: 'billing', createModels });
  if (code !== undefined) process.exit(code);
  await runProcess('billing', () => start(readBillingConfig()));
}
