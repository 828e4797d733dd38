import { setTimeout as pause } from 'node:timers/promises';
import { changesBetween, type Log } from '@tautan/kit';
import { subscriptionView, type Subscription } from '../domain/subscription.js';
import type { FollowDeps } from './deps.js';
import { followProvider } from './follow-provider.js';

export interface ReconcileDeps extends FollowDeps {
  /** Returns whether this replica reconciles. */
  holdsLease: () => Promise<boolean>;
  /** Time between two reconciliations of one subscription, milliseconds. */
  intervalMs: number;
  /** Called for each subscription with the outcome. */
  count: (outcome: 'unchanged' | 'changed' | 'failed') => void;
  log: Log;
}

/** Maximum number of subscriptions of one pass, and the pause after each: they bound the rate of requests to the provider. */
const MAX_PER_PASS = 100;
const PAUSE_MS = 200;
/** When a subscription whose reconciliation failed is due again, milliseconds. */
const RETRY_MS = 900_000;
/** By how much the interval varies, so that subscriptions spread over it. */
const JITTER = 0.1;

const nextReconciliation = (now: Date, intervalMs: number): Date =>
  new Date(now.getTime() + intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));

/**
 * Compares subscriptions that are due with the provider, one after the other, and brings them and their newest invoices to its
 * state: this repairs what lost notices would have changed. A failure ends the pass. Returns at once on a replica without the
 * lease.
 */
export async function reconcile(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const { store, now, intervalMs, log } = deps;
  for (let n = 0; n < MAX_PER_PASS && !signal.aborted && (await deps.holdsLease()); n += 1) {
    const due = await store.subscriptions.takeDue(now(), nextReconciliation(now(), intervalMs));
    if (!due) return;
    try {
      deps.count(await reconcileOne(deps, due));
    } catch (error) {
      deps.count('failed');
      log.warn({ err: error, workspaceId: due.workspaceId }, 'a subscription was not reconciled');
      return store.subscriptions.reconcileAt(due._id, new Date(now().getTime() + RETRY_MS));
    }
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function reconcileOne(deps: ReconcileDeps, before: Subscription): Promise<'unchanged' | 'changed'> {
  const { workspaceId, customerId } = before;
  const invoices = await deps.provider.recentInvoices(customerId);
  const after = await followProvider(deps, before, { invoices });
  const changes = Object.keys(changesBetween(subscriptionView(before), subscriptionView(after)));
  if (changes.length === 0) return 'unchanged';
  deps.log.warn({ workspaceId, changes }, 'reconciliation changed a subscription: a notice did not arrive');
  return 'changed';
}
