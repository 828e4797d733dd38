import * as oidc from 'openid-client';
import { userAgent } from '../version.js';

const TIMEOUT_S = 15;

export interface OAuthClient {
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
  deviceAuthorizationEndpoint?: string;
  revocationEndpoint?: string;
}

/** Returns a public client of the identity provider (RFC 6749 section 2.1). Endpoints may use plain http. */
export function oauthClient(client: OAuthClient, send: oidc.CustomFetch = fetch): oidc.Configuration {
  const configuration = new oidc.Configuration(
    {
      issuer: client.issuer,
      token_endpoint: client.tokenEndpoint,
      ...(client.deviceAuthorizationEndpoint && { device_authorization_endpoint: client.deviceAuthorizationEndpoint }),
      ...(client.revocationEndpoint && { revocation_endpoint: client.revocationEndpoint }),
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
    },
    client.clientId,
    undefined,
    oidc.None(),
  );
  configuration.timeout = TIMEOUT_S;
  configuration[oidc.customFetch] = (url, options) => {
    const headers = new Headers(options.headers);
    headers.set('user-agent', userAgent);
    return send(url, { ...options, headers: Object.fromEntries(headers) });
  };
  oidc.allowInsecureRequests(configuration);
  return configuration;
}

/** Returns the error code of the provider's response (RFC 6749 section 5.2), or undefined. */
export function providerError(error: unknown): string | undefined {
  const { code } = error as { error?: unknown; code?: unknown };
  const { error: name, status } = error as { error?: unknown; status?: number };
  return code === 'OAUTH_RESPONSE_BODY_ERROR' && (status ?? 400) < 500 ? String(name) : undefined;
}
