import { fail, type Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import type { Currency, ListedPlanName, PaidPlanName } from '@tautan/proto';
import { paidPlanNamed, rank } from './plans.js';
import type { ProvidedSubscription } from './provided.js';

/** How a workspace stands, as the provider has it. */
export interface Standing {
  plan: ListedPlanName;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  currency: Currency;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  /** Whether it ends with the period. */
  cancelAtPeriodEnd: boolean;
  /** What the plan becomes at the end of the period; null where it stays. */
  pendingPlan: ListedPlanName | null;
  /** The provider's subscription that this is; null where there never was one. */
  providerId: string | null;
}

/** Who has asked the provider for a change, so that it is theirs whoever learns of it first. */
export interface Asked {
  by: Principal;
  at: Date;
}

/** The one subscription of a workspace, from its first checkout on. */
export interface Subscription extends Standing {
  /** sub_… */
  _id: string;
  workspaceId: string;
  /** The provider's customer. */
  customerId: string;
  /** Grows with every look at the provider that was written down: an older look is never written over a newer one. */
  revision: number;
  asked: Asked | null;
  /** When it is next compared with the provider; null for as soon as possible. */
  reconcileAt: Date | null;
}

/** How long a change can be somebody's who asked for it, milliseconds. */
const ASKED_MS = 60_000;

export const noStanding: Standing = {
  plan: 'FREE',
  status: 'none',
  currency: 'IDR',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  providerId: null,
};

/** The id of a workspace's subscription: that of the workspace under another prefix, so that it has one before its first. */
export const subscriptionId = (workspaceId: string): string => workspaceId.replace(/^ws_/, 'sub_');

/** A subscription as the API shows it. */
export const subscriptionView = ({
  _id,
  currentPeriodStart,
  currentPeriodEnd,
  ...standing
}: Standing & { _id: string }): EventData<'subscription.updated'> => ({
  id: _id,
  plan: standing.plan,
  status: standing.status,
  currency: standing.currency,
  currentPeriodStart: currentPeriodStart?.toISOString() ?? null,
  currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
  cancelAtPeriodEnd: standing.cancelAtPeriodEnd,
  pendingPlan: standing.pendingPlan,
});

/** Whether a subscription is paid for, or waits to be. */
export const isLive = ({ status }: Pick<Standing, 'status'>): boolean => status === 'active' || status === 'past_due';

type Priced = ProvidedSubscription & { plan: PaidPlanName };

/**
 * Derives the state of a workspace from all subscriptions of its customer: the live one on the highest plan counts, the
 * newest of several. The other live ones are `superseded` and must be ended, so that nobody pays twice.
 */
export function standingOf(
  provided: readonly ProvidedSubscription[],
  before: Standing,
): { standing: Standing; superseded: string[] } {
  const known = provided.flatMap((one) => withPlan(one, before));
  const [current, ...others] = known.filter(isLive).toSorted(byRank);
  if (current) return { standing: liveStanding(current), superseded: others.map(({ id }) => id) };
  const last = known.toSorted((a, b) => b.periodEnd.getTime() - a.periodEnd.getTime())[0];
  return { standing: last ? endedStanding(last) : withoutAny(before), superseded: [] };
}

/** A subscription whose price belongs to no plan keeps the plan it is known by. One that is not known is left out. */
function withPlan(one: ProvidedSubscription, before: Standing): Priced[] {
  const plan = one.plan ?? (one.id === before.providerId ? paidPlanNamed(before.plan) : undefined);
  return plan ? [{ ...one, plan }] : [];
}

const byRank = (a: Priced, b: Priced): number =>
  rank(b.plan) - rank(a.plan) || b.createdAt.getTime() - a.createdAt.getTime();

const liveStanding = (provided: Priced): Standing => ({
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

const endedStanding = ({ id, currency, periodStart, periodEnd }: Priced): Standing => ({
  ...ended,
  currency,
  currentPeriodStart: periodStart,
  currentPeriodEnd: periodEnd,
  providerId: id,
});

/**
 * Whether a state is older than the stored one: a subscription that has ended never comes back to life under its id, and its
 * periods only move forward.
 */
export const isOlder = (standing: Standing, before: Standing): boolean => {
  if (standing.providerId === null || standing.providerId !== before.providerId) return false;
  const hasRevived = before.status === 'canceled' && isLive(standing);
  return hasRevived || Number(standing.currentPeriodStart) < Number(before.currentPeriodStart);
};

/** The state without any subscription at the provider: ended if there was one, else none. */
function withoutAny({ currency, currentPeriodStart, currentPeriodEnd, providerId }: Standing): Standing {
  if (providerId === null) return { ...noStanding, currency };
  return { ...ended, currency, currentPeriodStart, currentPeriodEnd, providerId };
}

/**
 * Whose change it is: that of whoever asked for one of its kind a moment ago; else null, the provider's own. With who is
 * still waiting for theirs.
 */
export function changedBy(
  { asked, ...before }: Subscription,
  after: Standing,
  now: Date,
): { by: Principal | null; asked: Asked | null } {
  if (!asked || now.getTime() - asked.at.getTime() > ASKED_MS) return { by: null, asked: null };
  const isChanged = before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd || before.pendingPlan !== after.pendingPlan;
  return isChanged && isLive(after) ? { by: asked.by, asked: null } : { by: null, asked };
}

/** Throws FORBIDDEN unless a principal may manage billing: owners, admins and API keys. */
export function assertMayManage({ role }: Principal): void {
  if (role === 'owner' || role === 'admin') return;
  throw fail('FORBIDDEN', 'Only owners and admins manage billing.');
}

/** Throws SUBSCRIPTION_STATE unless there is a subscription that has not ended. */
export function assertLive(
  subscription: Subscription | null,
): asserts subscription is Subscription & { providerId: string } {
  if (subscription && isLive(subscription)) return;
  throw fail('SUBSCRIPTION_STATE', 'The workspace has no subscription.');
}
