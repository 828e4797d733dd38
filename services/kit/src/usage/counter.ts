import type { LimitName } from '@tautan/proto';
import { Schema } from 'mongoose';

/** How much a workspace uses of one limit of its plan. */
export interface UsageCounter {
  /** See `counterId`. */
  _id: string;
  used: number;
  /** Of a monthly limit: what was created in the month and deleted since. Deleting does not lower `used`. */
  deleted?: number;
  /** Of a monthly limit: when the counter is removed. */
  expireAt?: Date;
}

/** A schema for a service's own collection of usage counters. */
export const usageCounterSchema = (): Schema<UsageCounter> =>
  new Schema<UsageCounter>(
    { _id: String, used: Number, deleted: Number, expireAt: Date },
    { versionKey: false, minimize: false },
  ).index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** The calendar month of a time in UTC, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** First moment of the month that begins `months` after a month. */
export function startOfMonth(month: string, months = 0): Date {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months));
}

/** Months that a monthly counter is kept. */
const KEPT_MONTHS = 14;

export const expiryOf = (month: string): Date => startOfMonth(month, KEPT_MONTHS);

/** Which counter: `month` for monthly limits alone. */
export interface CounterKey {
  workspaceId: string;
  limit: LimitName;
  month?: string | undefined;
}

/** `<workspace id>/<limit>`, of a monthly limit `<workspace id>/<limit>/<YYYY-MM>`. */
export const counterId = ({ workspaceId, limit, month }: CounterKey): string =>
  month === undefined ? `${workspaceId}/${limit}` : `${workspaceId}/${limit}/${month}`;

/** The key that an id was made from. */
export function counterKey(id: string): CounterKey {
  const [workspaceId, limit, month] = id.split('/') as [string, LimitName, string | undefined];
  return { workspaceId, limit, month };
}
