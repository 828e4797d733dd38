import * as oidc from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { fail } from '../errors.js';
import type { IdentityConfiguration } from './configuration.js';
import { oauthClient, providerError } from './oauth.js';
import { tokensOf } from './tokens.js';

/** The code and URLs that the user needs to approve the sign-in. */
export interface DeviceCode {
  code: string;
  /** URL of the page to enter the code on. */
  address: string;
  /** URL with the code filled in, or `address` if the provider has none. */
  completeAddress: string;
}

/**
 * Signs a user in to the service at `url` with the device flow (RFC 8628). Passes the code to `show`, then polls for
 * the tokens until they are granted or denied, or the code expires. Polls at the provider's interval, or more slowly if
 * the provider requests it or a poll fails (section 3.5).
 */
export async function deviceLogin(
  url: string,
  configuration: IdentityConfiguration,
  show: (code: DeviceCode) => void,
): Promise<Tokens> {
  const { issuer, tokenEndpoint, deviceAuthorizationEndpoint, deviceClientId: clientId } = configuration;
  const { scope, audience } = configuration;
  const client = oauthClient(
    url,
    { issuer, tokenEndpoint, deviceAuthorizationEndpoint, clientId },
    slowDownOnFailure(tokenEndpoint),
  );
  const started = await oidc
    .initiateDeviceAuthorization(client, { scope, ...(audience && { audience }) })
    .catch((error: unknown) => {
      throw failure(error, deviceAuthorizationEndpoint);
    });
  show({
    code: started.user_code,
    address: started.verification_uri,
    completeAddress: started.verification_uri_complete ?? started.verification_uri,
  });
  try {
    return tokensOf(await oidc.pollDeviceAuthorizationGrant(client, started), { issuer, tokenEndpoint, clientId });
  } catch (error) {
    throw isTimeout(error) ? notApproved() : failure(error, tokenEndpoint);
  }
}

/**
 * Returns a fetch function. If a poll fails, times out or gets a 429 or 5xx response, the function returns the error
 * `slow_down`, with the Retry-After header of the response. openid-client stops polling when the code expires.
 */
const slowDownOnFailure =
  (tokenEndpoint: string): oidc.CustomFetch =>
  async (url, options) => {
    if (url !== new URL(tokenEndpoint).href) return fetch(url, options);
    const slowDown = (retryAfter?: string | null) =>
      Response.json({ error: 'slow_down' }, { status: 400, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
    try {
      const response = await fetch(url, options);
      // Read the body here, because reading it can fail, too.
      const body = await response.arrayBuffer();
      const isTransient = response.status === 429 || response.status >= 500;
      return isTransient ? slowDown(response.headers.get('retry-after')) : new Response(body, response);
    } catch {
      return slowDown();
    }
  };

const retryHint = { hint: 'Start again with: tautan login' };
const notApproved = () => fail('signedOut', 'The code was not approved in time.', retryHint);

function failure(error: unknown, endpoint: string): Error {
  const name = providerError(error);
  if (name === 'access_denied') return fail('signedOut', 'The sign-in was denied in the browser.', retryHint);
  if (name === 'expired_token' || name === 'invalid_grant') return notApproved();
  if (name) return fail('refused', `The identity provider rejected the sign-in (${name}).`);
  return unreachable(endpoint, error);
}

const isTimeout = (error: unknown) =>
  [error, (error as Error).cause].some((one) => ['TimeoutError', 'AbortError'].includes((one as Error)?.name));
