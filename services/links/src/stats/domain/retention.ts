import { planNames, type PlanName, type Plans } from '@tautan/proto';
import { DAY_MS } from './quarters.js';

/** Retention of statistics by plan, in days; `other` for unknown plans. */
export type Retention = Readonly<Record<PlanName | 'other', number>>;

/** Retention of plans without a limit, in days: a century. */
const FOREVER_DAYS = 36_500;

/** Returns the retention by plan. `other` is the retention of unknown plans, in days. */
export const retention = (plans: Plans, other: number): Retention => {
  const days = planNames.map((name) => [name, plans[name].limits.analyticsRetentionDays ?? FOREVER_DAYS]);
  return { ...(Object.fromEntries(days) as Record<PlanName, number>), other };
};

export const retentionDays = (retention: Retention, plan: string | undefined): number =>
  plan !== undefined && Object.hasOwn(retention, plan) ? retention[plan as keyof Retention] : retention.other;

/**
 * Minimum time from the end of a day until the day is closed (see `closeDays`), in milliseconds. Most late clicks have
 * arrived by then.
 */
const CLOSED_AFTER_MS = 3_600_000;

/** Returns the time after which a day can be closed. */
export const closingOf = (startOfDay: number): Date => new Date(startOfDay + DAY_MS + CLOSED_AFTER_MS);

/** Returns the expiry of a day's statistics, `days` after the day ends. No other code computes this expiry. */
export const expiryOf = (startOfDay: number, days: number): Date => new Date(startOfDay + (days + 1) * DAY_MS);
