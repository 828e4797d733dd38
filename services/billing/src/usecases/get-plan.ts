import type { Principal } from '@tautan/kit';
import { checkPlan, type Currency, type Plan } from '../domain/plans.js';
import { isLive } from '../domain/subscription.js';
import type { Deps } from './deps.js';

/**
 * The plan of the principal's workspace, and in what currency it is paid: by its subscription, else the one that it was
 * given. Throws SERVICE_UNAVAILABLE where the workspaces service has to be asked and is away.
 */
export async function getPlan(
  { store, plans, workspacePlan }: Pick<Deps, 'store' | 'plans' | 'workspacePlan'>,
  by: Principal,
): Promise<{ plan: Plan; currency: Currency }> {
  const subscription = await store.subscriptions.ofWorkspace(by.workspaceId);
  if (subscription && isLive(subscription)) {
    return { plan: plans[subscription.plan], currency: subscription.currency };
  }
  return { plan: plans[checkPlan(await workspacePlan(by))], currency: 'IDR' };
}
