import { planNames, type PlanName, type Plans } from '@tautan/proto';
import { DAY_MS } from './quarters.js';

/** Days that statistics are kept, by the plan of their workspace; `other` where that is not known. */
export type Retention = Readonly<Record<PlanName | 'other', number>>;

/** Days that statistics are kept on a plan without a limit: a century. */
const FOREVER_DAYS = 36_500;

/** The retention that plans declare. */
export const retention = (plans: Plans, other: number): Retention => {
  const days = planNames.map((name) => [name, plans[name].limits.analyticsRetentionDays ?? FOREVER_DAYS]);
  return { ...(Object.fromEntries(days) as Record<PlanName, number>), other };
};

export const daysKept = (retention: Retention, plan: string | undefined): number =>
  plan !== undefined && Object.hasOwn(retention, plan) ? retention[plan as keyof Retention] : retention.other;

/** How long after its end a day is closed: by then clicks that were under way at midnight have arrived. */
const CLOSED_AFTER_MS = 3_600_000;

/** When a day can be closed. */
export const closingOf = (startOfDay: number): Date => new Date(startOfDay + DAY_MS + CLOSED_AFTER_MS);

/** When a day's statistics go: `days` after its end. The one place that decides it. */
export const expiryOf = (startOfDay: number, days: number): Date => new Date(startOfDay + (days + 1) * DAY_MS);
