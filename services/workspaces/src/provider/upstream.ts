import { fail, Histogram, isFault, latencyBuckets, type Fault, type Log, type Registry } from '@tautan/kit';
import type { Breaker } from '@tautan/kit/rpc';
import * as oidc from 'openid-client';

const away = (): Fault => fail('UPSTREAM_UNAVAILABLE', 'The identity provider does not answer; try again in a moment.');

/** Longest reason in the log, characters. */
const MAX_REASON = 300;

/** Calls of the identity provider: behind one circuit breaker, every failure UPSTREAM_UNAVAILABLE. */
export class Upstream {
  readonly #seconds: Histogram;

  constructor(
    private readonly breaker: Breaker,
    private readonly log: Log,
    registry: Registry,
  ) {
    this.#seconds = new Histogram({
      name: 'tautan_identity_provider_seconds',
      help: 'Time of a call of the identity provider, seconds, by what it was for and how it ended',
      labelNames: ['call', 'outcome'],
      buckets: latencyBuckets,
      registers: [registry],
    });
  }

  /**
   * Runs one call. A Fault that `work` throws is the provider's answer and passes as it is; anything else means that the
   * provider failed, unless it answered that our own configuration is wrong.
   */
  async call<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (!this.breaker.allows()) throw away();
    const observe = this.#seconds.startTimer({ call: what });
    try {
      const result = await work();
      observe({ outcome: 'ok' });
      this.breaker.succeeded();
      return result;
    } catch (error) {
      const answered = isFault(error) ? error.code !== 'UPSTREAM_UNAVAILABLE' : isRefusal(error);
      observe({ outcome: answered ? 'refused' : 'failed' });
      if (answered) this.breaker.succeeded();
      else this.breaker.failed();
      if (isFault(error) && answered) throw error;
      this.log[answered ? 'error' : 'warn']({ what, reason: reasonOf(error) }, 'the identity provider failed');
      throw away();
    }
  }
}

/** The OAuth error code of an answer (RFC 6749, 5.2), or undefined for any other failure. */
export async function oauthErrorOf(error: unknown): Promise<string | undefined> {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return undefined;
  // The library reads the challenge alone; some providers send one with every 401, and say more in the body.
  const body = (await error.response.json().catch(() => null)) as { error?: unknown } | null;
  return typeof body?.error === 'string' ? body.error : undefined;
}

/** Whether the provider answered, and refused: then it is there. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError;

/**
 * What may be logged of a failure. Never the error itself: what the library attaches to it includes bodies of answers,
 * with tokens in them.
 */
export function reasonOf(error: unknown): string {
  const {
    name = '',
    message = '',
    code,
    cause,
  } = (error ?? {}) as {
    name?: string;
    message?: string;
    code?: string;
    cause?: unknown;
  };
  const said = error instanceof oidc.ResponseBodyError ? error.error : undefined;
  const parts = [name, code, said, message];
  const root = cause instanceof Error ? ` (${cause.message})` : '';
  return (parts.filter(Boolean).join(': ') + root).slice(0, MAX_REASON);
}
