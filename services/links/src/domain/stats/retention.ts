import { DAY_MS } from './quarters.js';

/** Days that statistics are kept, by the plan of their workspace; `other` where that is not known. */
export type Retention = Readonly<Record<'FREE' | 'PRO' | 'BUSINESS' | 'other', number>>;

export const daysKept = (retention: Retention, plan: string | undefined): number =>
  plan !== undefined && Object.hasOwn(retention, plan) ? retention[plan as keyof Retention] : retention.other;

/** When a day's statistics go: `days` after its end. The one place that decides it. */
export const expiryOf = (startOfDay: number, days: number): Date => new Date(startOfDay + (days + 1) * DAY_MS);
