import { parseRetryAfter } from '@tautan/kit';
import type { Attempt, Delivery } from './delivery.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first attempt, the second …; after the last of them there is one more attempt. */
const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;
/** An endpoint that does nothing but fail for so long is switched off. */
export const FAILING_FOR_MS = 72 * HOUR;

/** What came of one attempt. */
export interface Outcome {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  /** Null when the receiver accepted it. */
  error: string | null;
  responseSnippet: string | null;
  /** What a 429 or 503 asked for. */
  retryAfterMs: number | null;
}

/** How a delivery stands after an attempt. */
export type Standing = Pick<Delivery, 'status' | 'attempts' | 'nextAttemptAt' | 'completedAt'> & { attempt: Attempt };

/**
 * The standing after an attempt that ended at `now`: succeeded; pending until the schedule's next attempt, each pause
 * longer or shorter by up to a tenth as `random` (0 to 1) says and never shorter than what the receiver asked for; or failed
 * after the last, or after the one that was asked for by hand.
 */
export function standingAfter(
  { attempts, manual }: Pick<Delivery, 'attempts' | 'manual'>,
  { at, durationMs, statusCode, error, responseSnippet, retryAfterMs }: Outcome,
  now: Date,
  random: number,
): Standing {
  const n = attempts + 1;
  const attempt: Attempt = { n, at, durationMs, statusCode, error, responseSnippet };
  const ended = { attempts: n, nextAttemptAt: null, completedAt: now, attempt };
  if (error === null) return { status: 'succeeded', ...ended };
  const pause = manual ? undefined : pauses[n - 1];
  if (pause === undefined) return { status: 'failed', ...ended };
  const wait = Math.max(pause * (1 - JITTER + 2 * JITTER * random), retryAfterMs ?? 0);
  const nextAttemptAt = new Date(now.getTime() + Math.round(wait));
  return { status: 'pending', attempts: n, nextAttemptAt, completedAt: null, attempt };
}

/** Milliseconds that a Retry-After of a 429 or 503 asks for, up to 24 hours; null when it says nothing. */
export function retryAfterOf(statusCode: number, header: string | undefined, now: Date): number | null {
  if (statusCode !== 429 && statusCode !== 503) return null;
  return parseRetryAfter(header, now, MAX_RETRY_AFTER_MS) ?? null;
}
