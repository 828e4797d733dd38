import { fail, type Principal } from '@tautan/kit';
import { isDuplicateKey } from '@tautan/kit/mongo';
import { checkCurrency, checkPaidPlan, rank, type Currency, type PaidPlan } from '../domain/plans.js';
import { assertMayManage, isLive, noStanding, subscriptionId, type Subscription } from '../domain/subscription.js';
import type { Checkout } from '../provider/payment-provider.js';
import { withProvider, type Deps, type FollowDeps } from './deps.js';

/**
 * Makes a page at the provider where a plan can be paid; nothing changes here until it is. A higher plan than the one of
 * now replaces it then. Throws FORBIDDEN, VALIDATION_ERROR naming `plan` or `currency`, SUBSCRIPTION_STATE where the
 * subscription is to the same or a higher plan, or is not paid, UPSTREAM_UNAVAILABLE, SERVICE_UNAVAILABLE without a provider.
 */
export async function createCheckout(
  deps: Deps,
  by: Principal,
  input: { plan: string; currency?: string | undefined; operationId?: string | undefined },
): Promise<Checkout> {
  assertMayManage(by);
  const plan = checkPaidPlan(input.plan);
  const wanted = input.currency === undefined ? undefined : checkCurrency(input.currency);
  const following = withProvider(deps);
  const { workspaceId } = by;
  const known = await deps.store.subscriptions.ofWorkspace(workspaceId);
  const currency = known && isLive(known) ? upgradeCurrency(known, plan, wanted) : (wanted ?? 'IDR');
  const { customerId } = known ?? (await firstSubscription(following, workspaceId, currency));
  return following.provider.createCheckout({ workspaceId, customerId, plan, currency, key: input.operationId });
}

/** In what currency a subscription moves up to a plan: its own. */
function upgradeCurrency(subscription: Subscription, plan: PaidPlan, wanted: Currency | undefined): Currency {
  const { currency, status } = subscription;
  if (rank(plan) <= rank(subscription.plan)) {
    throw fail('SUBSCRIPTION_STATE', `The workspace is subscribed to ${subscription.plan} already.`);
  }
  if (status === 'past_due')
    throw fail('SUBSCRIPTION_STATE', 'A payment of the subscription is overdue; pay it first.');
  if (wanted === undefined || wanted === currency) return currency;
  throw fail('VALIDATION_ERROR', `currency must be ${currency}, as of the subscription.`, 'currency');
}

/** The record of a workspace that has not bought anything yet, with a customer at the provider. */
async function firstSubscription(
  { store, provider }: FollowDeps,
  workspaceId: string,
  currency: Currency,
): Promise<Subscription> {
  const customerId = await provider.createCustomer(workspaceId);
  const first = { ...noStanding, _id: subscriptionId(workspaceId), workspaceId, customerId, currency, revision: 0, asked: null }; // prettier-ignore
  await store.subscriptions.insert(first).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  // Of two at once one was faster; its customer is the one.
  return (await store.subscriptions.ofWorkspace(workspaceId)) ?? first;
}
