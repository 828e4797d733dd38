import { Counter, Gathering, plansOf, repeat, runProcess, type Running } from '@tautan/kit';
import { maintenanceCommand, startService, type Ground } from '@tautan/kit/service';
import { readBillingConfig, stripeOf, type Config } from './config.js';
import { ReturnUrls } from './domain/return-urls.js';
import { KeyedQueue } from './keyed-queue.js';
import { Lease } from './lease.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { createModels, type Models } from './store/models.js';
import type { CustomerNotice } from './store/notices.js';
import type { Deps, FollowDeps } from './usecases/deps.js';
import { handleNotices } from './usecases/handle-notices.js';
import { keepNotices } from './usecases/keep-notices.js';
import { reconcile, type ReconcileDeps } from './usecases/reconcile.js';

/** Customers whose notices are acted on concurrently; bounds the requests to the provider. */
const NOTICE_CONCURRENCY = 8;
/** Interval of the sweep for notices that wait: those that failed, and those that a crash left behind, milliseconds. */
const NOTICE_SWEEP_MS = 1_000;
const NOTICE_SWEEP_CUSTOMERS = 200;
/** Maximum number of notices that are stored together, and the time that the first of them waits for others, milliseconds. */
const NOTICES_TOGETHER = 100;
const NOTICE_LINGER_MS = 5;
/** Maximum time between two passes of the reconciliation, milliseconds. */
const MAX_RECONCILE_TICK_MS = 60_000;
/** Longer than a pass leaves the lease unrenewed: the time between two passes, and that of one subscription. */
const RECONCILE_LEASE_MS = 180_000;

/** Starts the service, with the given clock. Rejects, with nothing left running, if a port is in use. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'billing', config, createModels }, (ground) => wire(config, ground, now));

function wire(config: Config, ground: Ground<Models>, now: () => Date) {
  const { log, registry, stack, models, outbox } = ground;
  const stripe = stripeOf(config);
  const provider = stripe && new StripeProvider(stripe, { log, registry, now });
  stack.add('provider', provider, async () => provider?.close());
  const deps = { store: createStore(models), transact: outbox.transact, now };
  const notices = provider && startNotices({ ...deps, provider }, ground);
  if (provider) startReconciliation({ ...deps, provider, intervalMs: config.RECONCILE_INTERVAL_MS }, ground);
  return rpcTables({
    ...deps,
    provider,
    plans: plansOf(config),
    returnUrls: new ReturnUrls(config.BASE_URL ?? 'http://localhost', config.RETURN_ORIGINS),
    keepNotice: intakeOf(deps, notices),
  });
}

/** Stores notices in groups: a burst of them costs few round trips. */
function intakeOf(deps: Pick<FollowDeps, 'store' | 'now'>, queue: KeyedQueue | undefined): Deps['keepNotice'] {
  const gathering = new Gathering<CustomerNotice, void>({
    most: NOTICES_TOGETHER,
    atOnce: 1,
    lingerMs: NOTICE_LINGER_MS,
    apply: async (notices) => {
      for (const customerId of await keepNotices(deps, notices)) queue?.add(customerId);
      return notices.map(() => undefined);
    },
  });
  return (notice) => gathering.run(notice);
}

/** Acts on notices as soon as they are stored, and again on those that wait. */
function startNotices(deps: FollowDeps, { log, stack, mongo }: Ground<Models>): KeyedQueue {
  const work = async (customerId: string): Promise<void> => {
    while (await handleNotices({ ...deps, log }, customerId));
  };
  const queue = stack.add('notices', new KeyedQueue({ work, concurrency: NOTICE_CONCURRENCY, log }), (it) => it.stop());
  const sweep = async (): Promise<void> => {
    const customers = await deps.store.notices.dueCustomers(deps.now(), NOTICE_SWEEP_CUSTOMERS);
    for (const customerId of customers) queue.add(customerId);
  };
  const options = { name: 'notices', everyMs: NOTICE_SWEEP_MS, ready: mongo.ready, log };
  stack.add('notice sweep', repeat(sweep, options), (it) => it.stop());
  return queue;
}

/** Compares subscriptions with the provider, on one replica at a time. */
function startReconciliation(
  deps: FollowDeps & Pick<ReconcileDeps, 'intervalMs'>,
  { log, registry, stack, mongo }: Ground<Models>,
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
  const pass = (): Promise<void> => reconcile({ ...deps, holdsLease: () => lease.hold(), count, log }, stopping.signal);
  const job = repeat(pass, { name: 'reconciliation', everyMs, ready: mongo.ready, log });
  stack.add('reconciliation', job, (it) => {
    stopping.abort();
    return it.stop();
  });
}

if (import.meta.filename === process.argv[1]) {
  const code = await maintenanceCommand(process.argv.slice(2), { name: 'billing', createModels });
  if (code !== undefined) process.exit(code);
  await runProcess('billing', () => start(readBillingConfig()));
}
