import type { Principal } from '@tautan/kit';
import type { Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncAccepted } from './sync-accepted.js';
import { syncIf } from './sync-if.js';

/** Cancels a subscription with effect from the end of its period: first at the provider, then locally. Idempotent. */
export async function cancelAtPeriodEnd(
  deps: SyncDeps,
  by: Principal,
  found: Subscription & { providerId: string },
): Promise<Subscription> {
  const subscription = await syncIf(deps, found, isCanceled);
  if (isCanceled(subscription)) return subscription;
  const requested = await deps.store.subscriptions.recordRequest(subscription._id, { by, at: deps.now() });
  await deps.provider.cancelAtPeriodEnd(subscription.providerId);
  return syncAccepted(deps, requested, isCanceled);
}

const isCanceled = ({ cancelAtPeriodEnd }: Subscription): boolean => cancelAtPeriodEnd;
