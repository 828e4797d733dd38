import { changesBetween, fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Notice, ProvidedInvoice } from '../domain/provided.js';
import { changedBy, standingOf, subscriptionView, type Standing, type Subscription } from '../domain/subscription.js';
import type { FollowDeps } from './deps.js';

/** Looks at the provider that are given up to others, until this one is. */
const MOST_RACES = 8;

/** What is written together with how a workspace stands. */
interface Along {
  /** The notice that made us look. */
  notice?: Notice;
  invoices?: ProvidedInvoice[];
}

/**
 * Brings a subscription to how it stands at the provider now, and tells what changed. The look is never written over one
 * that was made after it. What a newer subscription replaced is ended at the provider first: should that fail, nothing is
 * written, and the notice comes again. Answers the subscription as it is then. Throws UPSTREAM_UNAVAILABLE.
 */
export async function followProvider(deps: FollowDeps, found: Subscription, along: Along = {}): Promise<Subscription> {
  let before: Subscription | null = found;
  for (let races = 0; before && races < MOST_RACES; races += 1) {
    const { standing, superseded } = standingOf(await deps.provider.subscriptions(before.customerId), before);
    for (const id of superseded) await deps.provider.end(id);
    const written = await write(deps, before, standing, along);
    if (written) return written;
    before = await deps.store.subscriptions.ofWorkspace(found.workspaceId);
  }
  throw fail('SERVICE_UNAVAILABLE', 'The change met others; try again.');
}

/** Writes a look down, unless somebody wrote since `before` was read: then it answers undefined. */
function write(
  { store, transact, now }: FollowDeps,
  before: Subscription,
  standing: Standing,
  { notice, invoices = [] }: Along,
): Promise<Subscription | undefined> {
  const { by, asked } = changedBy(before, standing, now());
  const after = { ...before, ...standing, asked };
  return transact(by, async (tx) => {
    // First, so that two that write at once meet here.
    if (!(await store.subscriptions.write(before, { ...standing, asked }, tx.session))) return undefined;
    if (notice) await store.providerEvents.mark({ _id: notice.id, type: notice.type, at: now() }, tx.session);
    for (const invoice of invoices) await store.invoices.put(before.workspaceId, invoice, tx.session);
    tell(tx, before, after, by);
    return { ...after, revision: before.revision + 1 };
  });
}

function tell(tx: Transaction, before: Subscription, after: Subscription, by: Principal | null): void {
  const data = subscriptionView(after);
  const changes = changesBetween(subscriptionView(before), data);
  if (Object.keys(changes).length === 0) return;
  tx.emit({
    type:
      after.status === 'canceled' && before.status !== 'canceled' ? 'subscription.canceled' : 'subscription.updated',
    target: { type: 'subscription', id: after._id, label: after.plan },
    data,
    changes,
    ...(!by && { workspaceId: after.workspaceId }),
  });
}
