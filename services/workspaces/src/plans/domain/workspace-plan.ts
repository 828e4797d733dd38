import { fail } from '@tautan/kit';
import { planNames, type PlanName } from '@tautan/proto';

/** The subscription of a workspace, according to the newest applied event. */
export interface KnownSubscription {
  /** Null if the subscription is not live, or is for FREE. */
  plan: PlanName | null;
  /** Version of the subscription in the newest applied event that had one; null if none had. */
  version: number | null;
  /** Time of the newest applied event. */
  at: Date;
}

/** The sources of a workspace's plan. */
export interface PlanSources {
  /** The plan given by an operator; null for none. */
  given: PlanName | null;
  /** Null until the first event of a subscription. */
  subscription: KnownSubscription | null;
}

/** The plan fields of a stored workspace. */
export interface StoredPlan {
  /** The plan that events with this `planVersion` report. May lag behind a change of DEFAULT_PLAN. */
  plan: PlanName;
  /**
   * Increases with every change of the plan. Absent in records of earlier software versions, which stored no sources,
   * and stored the plan FREE for workspaces without their own plan.
   */
  planVersion?: number;
  givenPlan?: PlanName | null;
  subscription?: KnownSubscription | null;
  /** Time of the last event of a subscription. Written only by earlier software versions. */
  planAsOf?: Date;
}

export const noPlanSources: PlanSources = { given: null, subscription: null };

const unlessFree = (plan: PlanName): PlanName | null => (plan === 'FREE' ? null : plan);

/** Returns the sources of a stored workspace's plan. Accepts records of earlier software versions. */
export function planSourcesOf(stored: StoredPlan): PlanSources {
  const { plan, planVersion, givenPlan = null, subscription = null, planAsOf } = stored;
  const given = planVersion === undefined && !planAsOf ? unlessFree(plan) : givenPlan;
  // During a rolling upgrade, a replica of the earlier software version may apply the newest event.
  const isNewer = planAsOf !== undefined && (!subscription || planAsOf > subscription.at);
  if (!isNewer) return { given, subscription };
  return { given, subscription: { plan: unlessFree(plan), version: subscription?.version ?? null, at: planAsOf } };
}

/** Returns the effective plan: that of a live subscription, else the one given by an operator, else the default. */
export const effectivePlan = ({ given, subscription }: PlanSources, defaultPlan: PlanName): PlanName =>
  subscription?.plan ?? given ?? defaultPlan;

/** The subscription data of an event. */
export interface SubscriptionChange {
  plan: PlanName;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  version: number | undefined;
  at: Date;
}

/**
 * Returns the sources after an event, or the same object if the event does not apply. An event applies if its version
 * is higher than the known one. If the event has no version or none is known, it applies unless its time is earlier
 * than that of the last applied event.
 */
export function withSubscription(sources: PlanSources, { plan, status, version, at }: SubscriptionChange): PlanSources {
  const last = sources.subscription;
  const isNewer = !last || (version !== undefined && last.version !== null ? version > last.version : at >= last.at);
  if (!isNewer) return sources;
  const isLive = status === 'active' || status === 'past_due';
  const known = { plan: isLive ? unlessFree(plan) : null, version: version ?? last?.version ?? null, at };
  return { ...sources, subscription: known };
}

/** Parses the plan given by an operator. Returns null if the text is empty. Throws VALIDATION_ERROR naming `plan`. */
export function parseGivenPlan(text: string): PlanName | null {
  if (text === '') return null;
  const plan = planNames.find((name) => name === text);
  if (!plan) throw fail('VALIDATION_ERROR', `plan must be one of ${planNames.join(', ')}.`, 'plan');
  return plan;
}
