import { changesBetween, fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { ProviderInvoice } from '../domain/provider-objects.js';
import {
  changedBy,
  concurrentChange,
  isOlder,
  stateOf,
  subscriptionView,
  type SubscriptionState,
  type Subscription,
} from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';

/** Maximum number of reads from the provider that are discarded because of concurrent writes. */
const MAX_RACES = 8;

/** What is written in the same transaction as the state of the subscription. */
interface RelatedWrites {
  /** Ids of the webhooks that caused the read. They are marked as handled. */
  webhookIds?: string[];
  invoices?: ProviderInvoice[];
}

/**
 * Updates a subscription to its state at the provider, and emits the changes. An older read never overwrites a newer
 * one. Superseded subscriptions (see `stateOf`) are ended at the provider first; if that fails, nothing is written.
 * Returns the subscription as written. Throws UPSTREAM_UNAVAILABLE if the provider fails or responds with a state older
 * than the stored one, and SERVICE_UNAVAILABLE on too many concurrent changes.
 */
export async function syncSubscription(
  deps: SyncDeps,
  found: Subscription,
  related: RelatedWrites = {},
): Promise<Subscription> {
  let before: Subscription | null = found;
  for (let races = 0; before && races < MAX_RACES; races += 1) {
    const { state, superseded } = stateOf(await deps.provider.subscriptions(before.customerId), before);
    if (isOlder(state, before)) {
      throw fail(
        'UPSTREAM_UNAVAILABLE',
        'The payment provider responded with an outdated state. Try again in a moment.',
      );
    }
    for (const id of superseded) await deps.provider.end(id);
    const written = await write(deps, before, state, related);
    if (written) return written;
    before = await deps.store.subscriptions.ofWorkspace(found.workspaceId);
  }
  throw concurrentChange();
}

/**
 * Stores the state that was read from the provider. Returns undefined and writes nothing if the stored state has
 * changed since `before`.
 */
function write(
  { store, transact, now }: SyncDeps,
  before: Subscription,
  state: SubscriptionState,
  { webhookIds = [], invoices = [] }: RelatedWrites,
): Promise<Subscription | undefined> {
  const { by, asked } = changedBy(before, state, now());
  const after = { ...before, ...state, asked, revision: before.revision + 1 };
  return transact(by, async (tx) => {
    // Write this first, so that concurrent writers conflict here.
    if (!(await store.subscriptions.write(before, { ...state, asked }, tx.session))) return undefined;
    await store.webhooks.markHandled(webhookIds, now(), tx.session);
    for (const invoice of invoices) await store.invoices.put(before.workspaceId, invoice, tx.session);
    emitChange(tx, before, after, by);
    return after;
  });
}

function emitChange(tx: Transaction, before: Subscription, after: Subscription, by: Principal | null): void {
  const data = subscriptionView(after);
  const changes = changesBetween(subscriptionView(before), data);
  if (Object.keys(changes).length === 0) return;
  tx.emit({
    type:
      after.status === 'canceled' && before.status !== 'canceled' ? 'subscription.canceled' : 'subscription.updated',
    target: { type: 'subscription', id: after._id, label: after.plan },
    data,
    changes,
    version: after.revision,
    ...(!by && { workspaceId: after.workspaceId }),
  });
}
