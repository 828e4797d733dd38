import { fail } from '@tautan/kit';
import { planNames, type PlanName } from '@tautan/proto';

/** What the newest applied event says about the subscription of a workspace. */
export interface KnownSubscription {
  /** Null when the subscription is not live. */
  plan: PlanName | null;
  /** Version of the subscription; null when the event carried none. */
  version: number | null;
  at: Date;
}

/** What decides the plan of a workspace. */
export interface PlanSources {
  /** The plan that an operator gave it; null for none. */
  given: PlanName | null;
  /** Null until the first event of a subscription. */
  subscription: KnownSubscription | null;
}

/** The plan fields of a stored workspace. */
export interface StoredPlan {
  /** The plan that the last event announced. */
  plan: PlanName;
  /** Absent in records of earlier versions, which kept no sources and stored FREE where there was no plan. */
  planVersion?: number;
  givenPlan?: PlanName | null;
  subscription?: KnownSubscription | null;
  /** Written by earlier versions: time of the last event of a subscription. */
  planAsOf?: Date;
}

export const noPlanSources: PlanSources = { given: null, subscription: null };

const unlessFree = (plan: PlanName): PlanName | null => (plan === 'FREE' ? null : plan);

/** Returns what decides the plan of a stored workspace, including one that an earlier version wrote. */
export function planSourcesOf(stored: StoredPlan): PlanSources {
  const { plan, planVersion, givenPlan = null, subscription = null, planAsOf } = stored;
  const given = planVersion === undefined && !planAsOf ? unlessFree(plan) : givenPlan;
  // During a rolling upgrade, a replica of the earlier version may apply the newest event.
  const isNewer = planAsOf !== undefined && (!subscription || planAsOf > subscription.at);
  if (!isNewer) return { given, subscription };
  return { given, subscription: { plan: unlessFree(plan), version: subscription?.version ?? null, at: planAsOf } };
}

/** Returns the plan that applies: that of a live subscription, else the one an operator gave, else the default. */
export const effectivePlan = ({ given, subscription }: PlanSources, defaultPlan: PlanName): PlanName =>
  subscription?.plan ?? given ?? defaultPlan;

/** An event about a subscription. */
export interface SubscriptionNotice {
  plan: PlanName;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  version: number | undefined;
  at: Date;
}

/**
 * Returns the sources after an event, or the same object when the event is not newer than the last applied one. Versions
 * decide; an event without one, or after one without, is ordered by time.
 */
export function withSubscription(sources: PlanSources, { plan, status, version, at }: SubscriptionNotice): PlanSources {
  const last = sources.subscription;
  const isNewer = !last || (version !== undefined && last.version !== null ? version > last.version : at >= last.at);
  if (!isNewer) return sources;
  const isLive = status === 'active' || status === 'past_due';
  const known = { plan: isLive ? unlessFree(plan) : null, version: version ?? last?.version ?? null, at };
  return { ...sources, subscription: known };
}

/** Parses a plan that an operator gives; empty text is null, no plan of its own. Throws VALIDATION_ERROR naming `plan`. */
export function planToGive(text: string): PlanName | null {
  if (text === '') return null;
  const plan = planNames.find((name) => name === text);
  if (!plan) throw fail('VALIDATION_ERROR', `plan must be one of ${planNames.join(', ')}.`, 'plan');
  return plan;
}
