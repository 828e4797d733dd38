import type { TokenEndpointResponse } from 'openid-client';
import type { Tokens } from '../credentials/file.js';

/** An access token is refreshed this long (ms) before it expires, or a tenth of its lifetime if that is shorter. */
const MARGIN_MS = 30_000;
/** Lifetime of an access token if the provider does not state it. */
const ASSUMED_LIFETIME_S = 3_600;

/** Returns the tokens to store. The provider may omit the refresh token if the previous one remains valid. */
export function tokensOf(
  grant: TokenEndpointResponse,
  {
    issuer,
    tokenEndpoint,
    clientId,
    refreshToken,
  }: Pick<Tokens, 'issuer' | 'tokenEndpoint' | 'clientId'> & Partial<Tokens>,
): Tokens {
  const lifetimeMs = (grant.expires_in ?? ASSUMED_LIFETIME_S) * 1_000;
  const refreshAt = new Date(Date.now() + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 10)).toISOString();
  return {
    accessToken: grant.access_token,
    refreshToken: grant.refresh_token ?? refreshToken,
    refreshAt,
    issuer,
    tokenEndpoint,
    clientId,
  };
}
