import type { LimitName } from '@tautan/proto/plans';
import type { Schema } from 'mongoose';
import { strictSchema } from '@tautan/kit/mongo';

/** The usage of a workspace for one plan limit. */
export interface UsageCounter {
  /** See `counterId`. */
  _id: string;
  used: number;
  /** For a monthly limit: number of records created in the month and deleted later. Deletions do not lower `used`. */
  deleted?: number;
  /** For a monthly limit: expiry of the counter. */
  expireAt?: Date;
}

/** A schema for a service's own collection of usage counters. */
export const usageCounterSchema = (): Schema<UsageCounter> =>
  strictSchema<UsageCounter>({ _id: String, used: Number, deleted: Number, expireAt: Date }).index(
    { expireAt: 1 },
    { expireAfterSeconds: 0 },
  );

/** Returns the calendar month of a time in UTC, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Returns the start, in UTC, of the month that is `months` months after `month` (`YYYY-MM`). */
export function startOfMonth(month: string, months = 0): Date {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months));
}

/** A monthly counter is kept for this many months from the start of its month. */
const RETENTION_MONTHS = 14;

export const expiryOf = (month: string): Date => startOfMonth(month, RETENTION_MONTHS);

/** Key of a counter; `month` for monthly limits only. */
export interface CounterKey {
  workspaceId: string;
  limit: LimitName;
  month?: string | undefined;
}

/** Returns `<workspace id>/<limit>`, or `<workspace id>/<limit>/<YYYY-MM>` for a monthly limit. */
export const counterId = ({ workspaceId, limit, month }: CounterKey): string =>
  month === undefined ? `${workspaceId}/${limit}` : `${workspaceId}/${limit}/${month}`;

/** Parses the id of a counter. */
export function counterKey(id: string): CounterKey {
  const [workspaceId, limit, month] = id.split('/') as [string, LimitName, string | undefined];
  return { workspaceId, limit, month };
}
