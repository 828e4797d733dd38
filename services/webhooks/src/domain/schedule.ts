import { parseRetryAfter } from '@tautan/kit';
import type { Attempt, Delivery } from './delivery.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first attempt, the second, and so on. The attempt after the last delay is final. */
const retryDelays = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;
/** An endpoint is disabled after failing for this long without a success. */
export const DISABLE_AFTER_MS = 72 * HOUR;

/** The result of an attempt. */
export interface Outcome {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  /** Null if the receiver accepted the delivery. */
  error: string | null;
  responseSnippet: string | null;
  /** The delay requested by a 429 or 503. */
  retryAfterMs: number | null;
}

/** The state of a delivery after an attempt. */
export type DeliveryState = Pick<Delivery, 'status' | 'attempts' | 'nextAttemptAt' | 'completedAt'> & {
  attempt: Attempt;
};

/**
 * Returns the state of a delivery after an attempt that ended at `now`: succeeded; pending until the next scheduled
 * attempt; or failed after the last attempt or a manual retry. Delays have a jitter of ±10%, given by `random` (0 to
 * 1), and are never shorter than the receiver requested.
 */
export function stateAfter(
  { attempts, manual }: Pick<Delivery, 'attempts' | 'manual'>,
  { at, durationMs, statusCode, error, responseSnippet, retryAfterMs }: Outcome,
  now: Date,
  random: number,
): DeliveryState {
  const n = attempts + 1;
  const attempt: Attempt = { n, at, durationMs, statusCode, error, responseSnippet };
  const ended = { attempts: n, nextAttemptAt: null, completedAt: now, attempt };
  if (error === null) return { status: 'succeeded', ...ended };
  const delay = manual ? undefined : retryDelays[n - 1];
  if (delay === undefined) return { status: 'failed', ...ended };
  const wait = Math.max(delay * (1 - JITTER + 2 * JITTER * random), retryAfterMs ?? 0);
  const nextAttemptAt = new Date(now.getTime() + Math.round(wait));
  return { status: 'pending', attempts: n, nextAttemptAt, completedAt: null, attempt };
}

/**
 * Returns the delay that the Retry-After header of a 429 or 503 requests, in milliseconds and at most 24 hours; null if
 * there is none.
 */
export function retryAfterOf(statusCode: number, header: string | undefined, now: Date): number | null {
  if (statusCode !== 429 && statusCode !== 503) return null;
  return parseRetryAfter(header, now, MAX_RETRY_AFTER_MS) ?? null;
}
