import { retryAfterMs } from './retry-after.js';

export interface RetryOptions {
  /** Maximum number of times that a request is sent; 4 by default, 1 disables retries. */
  maxAttempts?: number;
  /** First pause in ms, doubled with each attempt; 250 by default. */
  initialDelayMs?: number;
  /**
   * Maximum pause in ms, not counting jitter of up to 25%; 20,000 by default. If Retry-After asks for a longer pause,
   * the request is not retried.
   */
  maxDelayMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

export const retryPolicy = ({
  maxAttempts = 4,
  initialDelayMs = 250,
  maxDelayMs = 20_000,
}: RetryOptions = {}): RetryPolicy => ({ maxAttempts, initialDelayMs, maxDelayMs });

/** Random share of a pause, so that clients that failed together do not retry together. */
const JITTER = 0.25;
/** Minimum of `initialDelayMs` while an earlier attempt is running. */
const IN_PROGRESS_DELAY_MS = 1_500;
const transientStatuses = new Set([429, 502, 503, 504]);
/**
 * Codes of errors that are not retried: the host is unreachable or refuses the connection, its name cannot be resolved,
 * or TLS fails.
 */
const NOT_RETRIED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|.*(CERT|SSL|TLS).*)$/;

/** Returns the pause in ms before the next attempt, or undefined if there is none. `attempt` counts from 1. */
export function pauseAfter(
  policy: RetryPolicy,
  attempt: number,
  retryAfter: string | null,
  random = Math.random,
): number | undefined {
  if (attempt >= policy.maxAttempts) return undefined;
  const requestedMs = retryAfterMs(retryAfter);
  if (requestedMs !== undefined)
    return requestedMs > policy.maxDelayMs ? undefined : requestedMs + policy.initialDelayMs * JITTER * random();
  const backoff = Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** (attempt - 1));
  return backoff * (1 - JITTER + 2 * JITTER * random());
}

/**
 * Returns the policy for the pause after an error. Pauses are longer while an earlier attempt is running, because the
 * API continues to report that attempt as running for a few seconds after the gateway that handled it has crashed.
 */
export const policyAfter = (code: string, policy: RetryPolicy): RetryPolicy =>
  code === 'IDEMPOTENCY_IN_PROGRESS'
    ? { ...policy, initialDelayMs: Math.max(policy.initialDelayMs, IN_PROGRESS_DELAY_MS) }
    : policy;

/** Returns whether a retry of a rejected request can succeed. */
export const isTransient = (status: number, code: string, attempt: number): boolean =>
  // A retry can arrive while an earlier attempt is still running. A later retry gets the response of that attempt.
  transientStatuses.has(status) || (code === 'IDEMPOTENCY_IN_PROGRESS' && attempt > 1);

/** Returns whether a request is retried after this connection error. */
export function isRetryableError(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let at = error; typeof at === 'object' && at !== null && !seen.has(at); at = nextCause(at)) {
    seen.add(at);
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && NOT_RETRIED.test(code)) return false;
  }
  return true;
}

/** A connection to a host with several addresses fails with one error for each (AggregateError). */
const nextCause = ({ cause, errors }: { cause?: unknown; errors?: unknown[] }): unknown => cause ?? errors?.[0];

/** Waits `ms` milliseconds. Rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
