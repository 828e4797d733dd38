import { fail, type Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import { rank, type Currency, type PlanName } from './plans.js';
import { hasMoved, planOf, type ProvidedSubscription } from './provided.js';

/** How a workspace stands, as the provider has it. */
export interface Standing {
  plan: PlanName;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  currency: Currency;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  /** Whether it ends with the period. */
  cancelAtPeriodEnd: boolean;
  /** What the plan becomes at the end of the period; null where it stays. */
  pendingPlan: PlanName | null;
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

/**
 * How a workspace stands by all that its customer has at the provider: by the live subscription on the highest plan, the
 * newest of several. The other live ones are `superseded`: they must end, so that nobody pays twice.
 */
export function standingOf(
  provided: readonly ProvidedSubscription[],
  before: Standing,
): { standing: Standing; superseded: string[] } {
  const [current, ...others] = provided.filter(isLive).toSorted(byRank);
  if (current) return { standing: liveStanding(current), superseded: others.map(({ id }) => id) };
  const last = provided.toSorted((a, b) => b.periodEnd.getTime() - a.periodEnd.getTime())[0];
  const ended = { plan: 'FREE', status: 'canceled', cancelAtPeriodEnd: false, pendingPlan: null } as const;
  if (!last) return { standing: before.providerId === null ? before : { ...before, ...ended }, superseded: [] };
  const { id, currency, periodStart, periodEnd } = last;
  const period = { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd };
  return { standing: { ...ended, ...period, currency, providerId: id }, superseded: [] };
}

const byRank = (a: ProvidedSubscription, b: ProvidedSubscription): number =>
  rank(planOf(b)) - rank(planOf(a)) || b.createdAt.getTime() - a.createdAt.getTime();

function liveStanding(provided: ProvidedSubscription): Standing {
  const { id, status, currency, periodStart, periodEnd, cancelAtPeriodEnd, next } = provided;
  const later = next && !hasMoved(provided) ? next.plan : null;
  return {
    plan: planOf(provided),
    status,
    currency,
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    cancelAtPeriodEnd,
    pendingPlan: cancelAtPeriodEnd ? 'FREE' : later,
    providerId: id,
  };
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
