import { fail, type Principal } from '@tautan/kit';
import type { Currency, EventData, ListedPlanName, PaidPlanName, SubscriptionStatus } from '@tautan/proto';
import { paidPlanNamed, rank } from './plans.js';
import type { ProviderSubscription } from './provider-objects.js';

/** The subscription state of a workspace, as reported by the provider. */
export interface SubscriptionState {
  plan: ListedPlanName;
  status: SubscriptionStatus;
  currency: Currency;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  /** Whether the subscription ends with the current period. */
  cancelAtPeriodEnd: boolean;
  /** The plan after the end of the period; null if the plan stays the same. */
  pendingPlan: ListedPlanName | null;
  /** The provider's subscription; null if there never was one. */
  providerId: string | null;
}

/** A request to change a subscription. The change is attributed to `by`, even if its webhook precedes the response. */
export interface RequestedChange {
  by: Principal;
  at: Date;
}

/** The subscription record of a workspace, created at its first checkout. A workspace has at most one. */
export interface Subscription extends SubscriptionState {
  /** sub_… */
  _id: string;
  workspaceId: string;
  /** The provider's customer. */
  customerId: string;
  /**
   * Starts at the time of creation, Unix ms. Incremented by every write of the state or of `asked`. State read from the
   * provider is written only if the revision has not changed since, so that an earlier state never overwrites a later
   * one.
   */
  revision: number;
  /** The latest requested change that may still be applied; null if there is none. */
  asked: RequestedChange | null;
  /** Time of the next comparison with the provider; null means as soon as possible. */
  reconcileAt: Date | null;
}

/** How long a change can be attributed to its requester, milliseconds. */
const ATTRIBUTION_MS = 60_000;

export const noSubscription: SubscriptionState = {
  plan: 'FREE',
  status: 'none',
  currency: 'IDR',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  providerId: null,
};

/**
 * Returns the id of a workspace's subscription: the workspace id with another prefix, so that the id is known before
 * the first purchase.
 */
export const subscriptionId = (workspaceId: string): string => workspaceId.replace(/^ws_/, 'sub_');

/** Returns a subscription as represented in the API. */
export const subscriptionView = ({
  _id,
  currentPeriodStart,
  currentPeriodEnd,
  ...state
}: SubscriptionState & { _id: string }): EventData<'subscription.updated'> => ({
  id: _id,
  plan: state.plan,
  status: state.status,
  currency: state.currency,
  currentPeriodStart: currentPeriodStart?.toISOString() ?? null,
  currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
  cancelAtPeriodEnd: state.cancelAtPeriodEnd,
  pendingPlan: state.pendingPlan,
});

/** Returns whether a subscription is active or past due. */
export const isLive = ({ status }: Pick<SubscriptionState, 'status'>): boolean =>
  status === 'active' || status === 'past_due';

type SubscriptionWithPlan = ProviderSubscription & { plan: PaidPlanName };

/**
 * Derives the state of a workspace from all subscriptions of its customer. The live subscription with the highest plan
 * determines the state; if several have that plan, the newest does. `superseded` contains the ids of the other live
 * subscriptions, which must be ended so that nobody pays twice.
 */
export function stateOf(
  provided: readonly ProviderSubscription[],
  before: SubscriptionState,
): { state: SubscriptionState; superseded: string[] } {
  const known = provided.flatMap((one) => withPlan(one, before));
  const [current, ...others] = known.filter(isLive).toSorted(byRank);
  if (current) return { state: liveState(current), superseded: others.map(({ id }) => id) };
  const last = known.toSorted((a, b) => b.periodEnd.getTime() - a.periodEnd.getTime())[0];
  return { state: last ? endedState(last) : stateWithoutSubscription(before), superseded: [] };
}

/** A subscription whose price belongs to no plan keeps its last known plan, or is ignored if none is known. */
function withPlan(one: ProviderSubscription, before: SubscriptionState): SubscriptionWithPlan[] {
  const plan = one.plan ?? (one.id === before.providerId ? paidPlanNamed(before.plan) : undefined);
  return plan ? [{ ...one, plan }] : [];
}

const byRank = (a: SubscriptionWithPlan, b: SubscriptionWithPlan): number =>
  rank(b.plan) - rank(a.plan) || b.createdAt.getTime() - a.createdAt.getTime();

const liveState = (provided: SubscriptionWithPlan): SubscriptionState => ({
  plan: provided.plan,
  status: provided.status,
  currency: provided.currency,
  currentPeriodStart: provided.periodStart,
  currentPeriodEnd: provided.periodEnd,
  cancelAtPeriodEnd: provided.cancelAtPeriodEnd,
  pendingPlan: provided.cancelAtPeriodEnd ? 'FREE' : provided.nextPlan,
  providerId: provided.id,
});

const ended = { plan: 'FREE', status: 'canceled', cancelAtPeriodEnd: false, pendingPlan: null } as const;

const endedState = ({ id, currency, periodStart, periodEnd }: SubscriptionWithPlan): SubscriptionState => ({
  ...ended,
  currency,
  currentPeriodStart: periodStart,
  currentPeriodEnd: periodEnd,
  providerId: id,
});

/**
 * Returns whether a state is older than the stored one, `before`: an ended subscription never becomes live again under
 * its id, and the periods of a subscription only move forward.
 */
export const isOlder = (state: SubscriptionState, before: SubscriptionState): boolean => {
  if (state.providerId === null || state.providerId !== before.providerId) return false;
  const hasRevived = before.status === 'canceled' && isLive(state);
  return hasRevived || Number(state.currentPeriodStart) < Number(before.currentPeriodStart);
};

/** Returns the state without a subscription at the provider: status `canceled` if there was one, otherwise `none`. */
function stateWithoutSubscription({
  currency,
  currentPeriodStart,
  currentPeriodEnd,
  providerId,
}: SubscriptionState): SubscriptionState {
  if (providerId === null) return { ...noSubscription, currency };
  return { ...ended, currency, currentPeriodStart, currentPeriodEnd, providerId };
}

/**
 * Returns the principal to whom a change is attributed: whoever requested it within the last minute, or null for the
 * system. Also returns the request if it is still pending; otherwise null.
 */
export function changedBy(
  { asked, ...before }: Subscription,
  after: SubscriptionState,
  now: Date,
): { by: Principal | null; asked: RequestedChange | null } {
  if (!asked || now.getTime() - asked.at.getTime() > ATTRIBUTION_MS) return { by: null, asked: null };
  const isChanged = before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd || before.pendingPlan !== after.pendingPlan;
  return isChanged && isLive(after) ? { by: asked.by, asked: null } : { by: null, asked };
}

/** Throws FORBIDDEN unless the principal is an owner, an admin or an API key. API keys have the role `admin`. */
export function assertMayManage({ role }: Principal): void {
  if (role === 'owner' || role === 'admin') return;
  throw fail('FORBIDDEN', 'Only owners and admins can manage billing.');
}

/** Throws SUBSCRIPTION_STATE unless there is a live subscription. */
export function assertLive(
  subscription: Subscription | null,
): asserts subscription is Subscription & { providerId: string } {
  if (subscription && isLive(subscription)) return;
  throw fail('SUBSCRIPTION_STATE', 'The workspace has no subscription.');
}

/** Returns the fault for a change that concurrent ones have prevented or undone. */
export const concurrentChange = (): Error =>
  fail('SERVICE_UNAVAILABLE', 'The subscription is being changed concurrently. Try again.');
