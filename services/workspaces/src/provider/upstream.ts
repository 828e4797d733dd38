import { Upstream, type Log, type Registry } from '@tautan/kit';
import type { Breaker } from '@tautan/kit/rpc';
import * as oidc from 'openid-client';

/** Longest reason in the log, characters. */
const MAX_REASON = 300;

/** Calls of the identity provider. */
export const identityUpstream = (breaker: Breaker, log: Log, registry: Registry): Upstream =>
  new Upstream({ name: 'identity', breaker, log, registry, isRefusal, reasonOf });

/** The OAuth error code of an answer (RFC 6749, 5.2), or undefined for any other failure. */
export async function oauthErrorOf(error: unknown): Promise<string | undefined> {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return undefined;
  // The library reads the challenge alone; some providers send one with every 401, and say more in the body.
  const body = (await error.response.json().catch(() => null)) as { error?: unknown } | null;
  return typeof body?.error === 'string' ? body.error : undefined;
}

/** Whether the provider answered, and refused: then it is there. A limit of the provider (429) says nothing about what was asked. */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError) &&
  error.status !== 429;

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
