import { changesBetween, sleep, type Log } from '@tautan/kit';
import { subscriptionView, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncSubscription } from '../steps/sync-subscription.js';

export interface ReconcileDeps extends SyncDeps {
  /** Acquires or renews the lease. Returns whether this replica may reconcile. */
  holdsLease: () => Promise<boolean>;
  /** Time between two reconciliations of the same subscription, milliseconds. */
  intervalMs: number;
  /** Called with the outcome of each subscription. */
  count: (outcome: 'unchanged' | 'changed' | 'failed') => void;
  log: Log;
  /** Ends the pass when aborted. */
  signal: AbortSignal;
}

/**
 * Maximum number of subscriptions per pass, and the pause in ms after each of them. Both bound the rate of requests to
 * the provider.
 */
const MAX_PER_PASS = 100;
const PAUSE_MS = 200;
/** Delay before retrying a failed reconciliation, milliseconds. */
const RETRY_MS = 900_000;
/**
 * Maximum random deviation from the interval, as a fraction of the interval. It spreads the subscriptions over time.
 */
const JITTER = 0.1;

const nextReconciliation = (now: Date, intervalMs: number): Date =>
  new Date(now.getTime() + intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));

/**
 * Compares due subscriptions with the provider, one after the other, and updates them and their newest invoices, which
 * repairs the effects of lost webhooks. A failure of the provider ends the pass. A subscription whose customer the
 * provider does not know counts as failed, but the pass continues. Returns immediately on a replica without the lease.
 */
export async function reconcileSubscriptions(deps: ReconcileDeps): Promise<void> {
  const { store, now, intervalMs, log, signal } = deps;
  for (let n = 0; n < MAX_PER_PASS && !signal.aborted && (await deps.holdsLease()); n += 1) {
    const due = await store.subscriptions.takeDue(now(), nextReconciliation(now(), intervalMs));
    if (!due) return;
    try {
      deps.count(await reconcileOne(deps, due));
    } catch (error) {
      deps.count('failed');
      log.warn({ err: error, workspaceId: due.workspaceId }, 'a subscription could not be reconciled');
      return store.subscriptions.reconcileAt(due._id, new Date(now().getTime() + RETRY_MS));
    }
    await sleep(PAUSE_MS, { signal }).catch(() => undefined);
  }
}

async function reconcileOne(deps: ReconcileDeps, before: Subscription): Promise<'unchanged' | 'changed' | 'failed'> {
  const { workspaceId, customerId } = before;
  const invoices = await deps.provider.recentInvoices(customerId);
  if (!invoices) {
    deps.log.error({ workspaceId, customerId }, 'the payment provider does not know the customer of a subscription');
    return 'failed';
  }
  const after = await syncSubscription(deps, before, { invoices });
  const changes = Object.keys(changesBetween(subscriptionView(before), subscriptionView(after)));
  if (changes.length === 0) return 'unchanged';
  deps.log.warn({ workspaceId, changes }, 'reconciliation changed a subscription: a webhook was lost or delayed');
  return 'changed';
}
