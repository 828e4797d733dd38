import * as oidc from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { fail } from '../errors.js';
import type { IdentityConfiguration } from './configuration.js';
import { oauthClient, providerError } from './oauth.js';
import { tokensOf } from './tokens.js';

/** What the person needs in order to approve. */
export interface DeviceCode {
  code: string;
  /** Where the code is typed in. */
  address: string;
  /** Where the code is already filled in; the same address without one. */
  completeAddress: string;
}

/**
 * Signs a person in by the device flow (RFC 8628): shows the code by `show`, then asks for the tokens every `interval`
 * seconds, more slowly when the provider says so or does not answer (3.5), until they are granted, refused or too late.
 */
export async function deviceLogin(
  configuration: IdentityConfiguration,
  show: (code: DeviceCode) => void,
): Promise<Tokens> {
  const { issuer, tokenEndpoint, deviceAuthorizationEndpoint, deviceClientId: clientId, scope } = configuration;
  const client = oauthClient(
    { issuer, tokenEndpoint, deviceAuthorizationEndpoint, clientId },
    patiently(tokenEndpoint),
  );
  try {
    const started = await oidc.initiateDeviceAuthorization(client, new URLSearchParams({ scope }));
    show({
      code: started.user_code,
      address: started.verification_uri,
      completeAddress: started.verification_uri_complete ?? started.verification_uri,
    });
    return tokensOf(await oidc.pollDeviceAuthorizationGrant(client, started), { issuer, tokenEndpoint, clientId });
  } catch (error) {
    throw failure(error, deviceAuthorizationEndpoint);
  }
}

/** A poll that got no answer, or a 5xx, counts as one that was told to slow down. */
const patiently =
  (tokenEndpoint: string): oidc.CustomFetch =>
  async (url, options) => {
    if (url !== new URL(tokenEndpoint).href) return fetch(url, options);
    const slowDown = () => Response.json({ error: 'slow_down' }, { status: 400 });
    try {
      const response = await fetch(url, options);
      return response.status >= 500 && !response.headers.has('retry-after') ? slowDown() : response;
    } catch (error) {
      if (options.signal?.aborted) throw error;
      return slowDown();
    }
  };

function failure(error: unknown, endpoint: string): Error {
  const again = { hint: 'Begin again with: tautan login' };
  const name = providerError(error);
  if (name === 'access_denied') return fail('signedOut', 'The request was refused in the browser.', again);
  if (name === 'expired_token' || name === 'invalid_grant' || isTooLate(error))
    return fail('signedOut', 'The code was not approved in time.', again);
  if (name) return fail('refused', `The identity provider refused to sign you in (${name}).`);
  return unreachable(endpoint, error);
}

const isTooLate = (error: unknown) =>
  [error, (error as Error).cause].some((one) => ['TimeoutError', 'AbortError'].includes((one as Error)?.name));
