import { fail, type Principal } from '@tautan/kit';
import type { Currency, PaidPlanName, PlanName } from '@tautan/proto';
import { checkCurrency, checkPaidPlan, rank } from '../domain/plans.js';
import { assertMayManage, isLive, type Subscription } from '../domain/subscription.js';
import { ensureRecord } from '../steps/ensure-records.js';
import { syncSubscription } from '../steps/sync-subscription.js';
import type { Checkout, CheckoutRequest } from '../provider/payment-provider.js';
import { withProvider, type Deps, type SyncDeps } from '../usecase-deps.js';

interface Input {
  plan: string;
  currency?: string | undefined;
  operationId?: string | undefined;
  returnUrl?: string | undefined;
}

/**
 * Creates a checkout session at the provider and emits `checkout.created`. The plan changes once the checkout is paid.
 * Throws FORBIDDEN unless the principal may manage billing; VALIDATION_ERROR naming `plan`, `currency` or `returnUrl`;
 * SERVICE_UNAVAILABLE without a provider; SUBSCRIPTION_STATE if the plan is not above the current one or a payment is
 * overdue; UPSTREAM_UNAVAILABLE if the provider fails. A customer that is missing at the provider is replaced.
 */
export async function createCheckout(deps: Deps, by: Principal, input: Input): Promise<Checkout> {
  assertMayManage(by);
  const plan = checkPaidPlan(input.plan);
  const wanted = input.currency === undefined ? undefined : checkCurrency(input.currency);
  const providerDeps = withProvider(deps);
  const returnUrls = deps.returnUrls.checkout(input.returnUrl);
  const { workspaceId } = by;
  const known = await deps.store.subscriptions.ofWorkspace(workspaceId);
  const live = known && isLive(known) ? known : undefined;
  // The principal has the effective plan, which an operator may have assigned.
  assertAbove(plan, by.plan);
  const currency = live ? checkUpgrade(live, plan, wanted) : (wanted ?? 'IDR');
  const record = known ?? (await createFirstRecord(providerDeps, workspaceId, currency));
  const request = { workspaceId, plan, currency, key: input.operationId, ...returnUrls };
  const checkout = await createSession(providerDeps, record, request);
  const { sessionId } = checkout;
  await deps.transact(by, async (tx) => {
    // If the request is repeated, the provider returns the same session.
    if (!(await deps.store.checkouts.put(sessionId, workspaceId, deps.now(), tx))) return;
    const target = { type: 'checkout', id: sessionId, label: plan };
    tx.emit({ type: 'checkout.created', target, data: { sessionId, plan, currency } });
  });
  return checkout;
}

function assertAbove(plan: PaidPlanName, current: PlanName): void {
  if (rank(plan) > rank(current)) return;
  throw fail('SUBSCRIPTION_STATE', `The workspace already has the ${current} plan. Choose a higher plan.`);
}

/**
 * Checks an upgrade of a live subscription. Returns the currency of the subscription, which the upgrade must keep.
 * Throws SUBSCRIPTION_STATE, or VALIDATION_ERROR naming `currency`.
 */
function checkUpgrade(subscription: Subscription, plan: PaidPlanName, wanted: Currency | undefined): Currency {
  const { currency, status } = subscription;
  assertAbove(plan, subscription.plan);
  if (status === 'past_due') {
    throw fail(
      'SUBSCRIPTION_STATE',
      'A payment of the subscription is overdue. Pay it first, for example in the portal.',
    );
  }
  if (wanted === undefined || wanted === currency) return currency;
  throw fail('VALIDATION_ERROR', `currency must be ${currency}, the currency of the subscription.`, 'currency');
}

/** Creates a checkout session. If the provider does not have the customer (any more), replaces the customer first. */
async function createSession(
  deps: SyncDeps,
  record: Subscription,
  request: Omit<CheckoutRequest, 'customerId'>,
): Promise<Checkout> {
  const createFor = ({ customerId }: Subscription) => deps.provider.createCheckout({ ...request, customerId });
  const checkout = (await createFor(record)) ?? (await createFor(await withNewCustomer(deps, record)));
  if (checkout) return checkout;
  throw fail('UPSTREAM_UNAVAILABLE', 'The payment provider does not know the customer. Try again in a moment.');
}

/**
 * Replaces the missing customer of a subscription. A subscription that is stored as live is synced first, because
 * the deletion of its customer has ended it. The sync fails if the provider knows no such customer, not even a deleted
 * one, because then PAYMENT_SECRET_KEY may be that of another account.
 */
async function withNewCustomer(deps: SyncDeps, record: Subscription): Promise<Subscription> {
  const { workspaceId, customerId } = isLive(record) ? await syncSubscription(deps, record) : record;
  const replacement = await deps.provider.createCustomer(workspaceId, customerId);
  return deps.store.subscriptions.replaceCustomer({ _id: record._id, customerId }, replacement);
}

/**
 * Creates the subscription record of a workspace, and its customer at the provider. If an earlier record was lost,
 * reuses its customer, which is found only if one of its subscriptions is among the newest at the provider, across all
 * workspaces. Nothing is purchased yet.
 */
async function createFirstRecord(deps: SyncDeps, workspaceId: string, currency: Currency): Promise<Subscription> {
  const customers = await deps.provider.customersOfNewestSubscriptions();
  const existing = customers.find((customer) => customer.workspaceId === workspaceId);
  const customerId = existing?.customerId ?? (await deps.provider.createCustomer(workspaceId));
  return ensureRecord(deps, { workspaceId, customerId, currency });
}
