import { isDuplicateKey } from '@tautan/kit/mongo';
import type { Currency } from '@tautan/proto';
import type { WorkspaceCustomer } from '../domain/provider-objects.js';
import { noSubscription, subscriptionId, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';

type Deps = Pick<SyncDeps, 'store' | 'now'>;

/** A customer at the provider, and the workspace that it was created for, if known. */
type Candidate = Pick<WorkspaceCustomer, 'customerId'> & { workspaceId?: string | undefined };

/**
 * Creates the missing subscription records of customers whose workspace is known. Returns the ids of those customers
 * that have a record. A record is missing if a backup from before the first checkout was restored. A new record is due
 * for reconciliation immediately.
 */
export async function ensureRecords(deps: Deps, candidates: readonly Candidate[]): Promise<Set<string>> {
  const known = await deps.store.subscriptions.knownCustomers(candidates.map(({ customerId }) => customerId));
  for (const { customerId, workspaceId } of candidates) {
    if (known.has(customerId) || workspaceId === undefined) continue;
    const record = await ensureRecord(deps, { workspaceId, customerId, currency: noSubscription.currency });
    if (record.customerId === customerId) known.add(customerId);
  }
  return known;
}

/** Creates a subscription record without a purchase, unless the workspace already has a record. Returns the record. */
export async function ensureRecord(
  { store, now }: Deps,
  ids: Pick<Subscription, 'workspaceId' | 'customerId'> & { currency: Currency },
): Promise<Subscription> {
  const { workspaceId } = ids;
  const first = {
    ...noSubscription,
    ...ids,
    _id: subscriptionId(workspaceId),
    // After a restore, consumers may have applied events of a lost record. The new record's revisions are higher.
    revision: now().getTime(),
    ...{ asked: null, reconcileAt: null },
  };
  await store.subscriptions.insert(first).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  // A concurrent call may have inserted its record first.
  return (await store.subscriptions.ofWorkspace(workspaceId)) ?? first;
}
