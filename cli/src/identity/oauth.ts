import * as oidc from 'openid-client';
import { isLoopbackHost } from '../context.js';
import { fail } from '../errors.js';
import { userAgent } from '../version.js';

const TIMEOUT_S = 15;

export interface OAuthClient {
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
  deviceAuthorizationEndpoint?: string;
  revocationEndpoint?: string;
}

/**
 * Returns a public client (RFC 6749 section 2.1) of the identity provider of the service at `url`. Throws `refused` if
 * the issuer or an endpoint uses plain http, unless the host is a loopback host or the service itself uses http.
 */
export function oauthClient(url: string, client: OAuthClient, send: oidc.CustomFetch = fetch): oidc.Configuration {
  const { issuer, tokenEndpoint, deviceAuthorizationEndpoint, revocationEndpoint } = client;
  for (const address of [issuer, tokenEndpoint, deviceAuthorizationEndpoint, revocationEndpoint])
    if (address !== undefined) assertEncrypted(url, new URL(address));
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
  configuration[oidc.customFetch] = async (url, options) => {
    const headers = new Headers(options.headers);
    headers.set('user-agent', userAgent);
    return withoutIdToken(await send(url, { ...options, headers: Object.fromEntries(headers) }));
  };
  oidc.allowInsecureRequests(configuration);
  return configuration;
}

/**
 * Returns a response without its ID token, which is not used. openid-client would compare the times in the ID token
 * with the local clock and, if that clock is wrong, reject the whole response, including the other tokens.
 */
async function withoutIdToken(response: Response): Promise<Response> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { id_token?: unknown } | null | undefined;
  if (body?.id_token === undefined) return response;
  const { id_token: _, ...rest } = body;
  return Response.json(rest, { status: response.status, headers: response.headers });
}

function assertEncrypted(url: string, { protocol, hostname, host }: URL): void {
  if (protocol === 'https:' || isLoopbackHost(hostname) || new URL(url).protocol === 'http:') return;
  throw fail('refused', `The identity provider at ${host} uses http, although ${url} uses https.`, {
    hint: 'Sign in with an API key instead: tautan login --api-key -',
  });
}

/** Returns the error code of the provider's response (RFC 6749 section 5.2), or undefined. */
export function providerError(error: unknown): string | undefined {
  const { code } = error as { error?: unknown; code?: unknown };
  const { error: name, status } = error as { error?: unknown; status?: number };
  return code === 'OAUTH_RESPONSE_BODY_ERROR' && (status ?? 400) < 500 ? String(name) : undefined;
}
