import { tokenRevocation } from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { fail } from '../errors.js';
import { oauthClient } from './oauth.js';

const TIMEOUT_MS = 5_000;
/** The standard path below the issuer, and the path of providers that serve OpenID Connect below /api/v1/oidc. */
const discoveryPaths = ['/.well-known/openid-configuration', '/api/v1/oidc/.well-known/openid-configuration'];

/**
 * Revokes, at the provider, a refresh token for the service at `url`, and with it the other tokens of the same sign-in
 * (RFC 7009).
 */
export async function revokeTokens(url: string, tokens: Tokens): Promise<void> {
  if (!tokens.refreshToken) return;
  const revocationEndpoint = await findRevocationEndpoint(tokens.issuer);
  const client = oauthClient(url, { ...tokens, revocationEndpoint });
  try {
    await tokenRevocation(client, tokens.refreshToken, {
      token_type_hint: 'refresh_token',
    });
  } catch (error) {
    throw unreachable(revocationEndpoint, error);
  }
}

/** Returns the revocation endpoint from the provider's discovery document (OpenID Connect Discovery section 4). */
async function findRevocationEndpoint(issuer: string): Promise<string> {
  for (const path of discoveryPaths) {
    const url = `${issuer.replace(/\/$/, '')}${path}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const document = (await response.json()) as { revocation_endpoint?: unknown } | null;
      const endpoint = document?.revocation_endpoint;
      if (typeof endpoint === 'string' && URL.canParse(endpoint)) return endpoint;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw unreachable(url, error);
    }
  }
  throw fail('unavailable', `${new URL(issuer).host} does not have a revocation endpoint.`);
}
