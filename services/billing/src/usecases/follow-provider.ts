import { changesBetween, fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { ProvidedInvoice } from '../domain/provided.js';
import {
  changedBy,
  isOlder,
  standingOf,
  subscriptionView,
  type Standing,
  type Subscription,
} from '../domain/subscription.js';
import type { FollowDeps } from './deps.js';

/** Maximum number of reads of the provider that are given up to concurrent ones. */
const MAX_RACES = 8;

/** What is written together with the state of the subscription. */
interface Along {
  /** Ids of the notices that caused the read. */
  noticeIds?: string[];
  invoices?: ProvidedInvoice[];
}

/**
 * Brings a subscription to its state at the provider, and emits what changed. A read is never written over a later one.
 * Subscriptions that a newer one replaced are ended at the provider first; if that fails, nothing is written. Returns the
 * subscription as written. Throws UPSTREAM_UNAVAILABLE if the provider fails, or responds with an older state than the stored
 * one, and SERVICE_UNAVAILABLE if too many concurrent changes interfere.
 */
export async function followProvider(deps: FollowDeps, found: Subscription, along: Along = {}): Promise<Subscription> {
  let before: Subscription | null = found;
  for (let races = 0; before && races < MAX_RACES; races += 1) {
    const { standing, superseded } = standingOf(await deps.provider.subscriptions(before.customerId), before);
    if (isOlder(standing, before)) {
      throw fail(
        'UPSTREAM_UNAVAILABLE',
        'The payment provider responded with an outdated state. Try again in a moment.',
      );
    }
    for (const id of superseded) await deps.provider.end(id);
    const written = await write(deps, before, standing, along);
    if (written) return written;
    before = await deps.store.subscriptions.ofWorkspace(found.workspaceId);
  }
  throw fail('SERVICE_UNAVAILABLE', 'Other changes to the subscription interfered. Try again.');
}

/** Writes a read of the provider. Returns undefined, with nothing written, if there was a write since `before` was read. */
function write(
  { store, transact, now }: FollowDeps,
  before: Subscription,
  standing: Standing,
  { noticeIds = [], invoices = [] }: Along,
): Promise<Subscription | undefined> {
  const { by, asked } = changedBy(before, standing, now());
  const after = { ...before, ...standing, asked, revision: before.revision + 1 };
  return transact(by, async (tx) => {
    // First, so that concurrent writers meet here.
    if (!(await store.subscriptions.write(before, { ...standing, asked }, tx.session))) return undefined;
    await store.notices.markHandled(noticeIds, now(), tx.session);
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
