import type { TokenEndpointResponse } from 'openid-client';
import type { Tokens } from '../credentials/file.js';

/** Access tokens are renewed so long before their end, milliseconds; short-lived ones in their last tenth. */
const MARGIN_MS = 30_000;
const ASSUMED_LIFETIME_S = 3_600;

/** What is kept of a grant. The provider may leave the refresh token out when the old one stays good. */
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
