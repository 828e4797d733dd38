import type { Principal } from '@tautan/kit';
import type { Currency, Plan } from '@tautan/proto';
import { isLive } from '../domain/subscription.js';
import type { Deps } from '../usecase-deps.js';

/** Returns the effective plan of the principal's workspace, and the currency that it is priced in. */
export async function getPlan(
  { store, plans }: Pick<Deps, 'store' | 'plans'>,
  by: Principal,
): Promise<{ plan: Plan; currency: Currency }> {
  const subscription = await store.subscriptions.ofWorkspace(by.workspaceId);
  const currency = subscription && isLive(subscription) ? subscription.currency : 'IDR';
  return { plan: plans[by.plan], currency };
}
