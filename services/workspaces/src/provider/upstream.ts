import { Upstream, type Log, type Registry } from '@tautan/kit';
import type { Breaker } from '@tautan/kit/rpc';
import * as oidc from 'openid-client';

/** Maximum length of a reason in the log, characters. */
const MAX_REASON = 300;

/** Creates the upstream for calls to the identity provider. */
export const identityUpstream = (breaker: Breaker, log: Log, registry: Registry): Upstream =>
  new Upstream({ name: 'identity', breaker, log, registry, isRefusal, reasonOf });

/** Returns the OAuth error code of a response (RFC 6749, 5.2), or undefined for any other failure. */
export async function oauthErrorOf(error: unknown): Promise<string | undefined> {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return undefined;
  // The library reads only the challenge; some providers send one with every 401, and details in the body.
  const body = (await error.response.json().catch(() => null)) as { error?: unknown } | null;
  return typeof body?.error === 'string' ? body.error : undefined;
}

/**
 * Returns whether the provider responded with a refusal, which shows that the provider is available. A rate limit (429)
 * is not a refusal.
 */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError) &&
  error.status !== 429;

/**
 * Returns the loggable reason of a failure. The error itself must not be logged, because the library attaches response
 * bodies with tokens to it.
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
  const oauthError = error instanceof oidc.ResponseBodyError ? error.error : undefined;
  const parts = [name, code, oauthError, message];
  const root = cause instanceof Error ? ` (${cause.message})` : '';
  return (parts.filter(Boolean).join(': ') + root).slice(0, MAX_REASON);
}
