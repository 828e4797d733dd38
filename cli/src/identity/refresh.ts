import { refreshTokenGrant } from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { fail, signedOut } from '../errors.js';
import { oauthClient, providerError } from './oauth.js';
import { tokensOf } from './tokens.js';

/**
 * Exchanges a refresh token for new tokens, at the identity provider of the service at `url`. Never retries: if the
 * response is lost, the token may have been used, and a second use would end the session. Throws `signedOut` if the
 * provider reports the token as invalid, and `unavailable` after any other failure, such as a rate limit.
 */
export async function refreshTokens(url: string, tokens: Tokens & { refreshToken: string }): Promise<Tokens> {
  const client = oauthClient(url, tokens);
  try {
    return tokensOf(await refreshTokenGrant(client, tokens.refreshToken), tokens);
  } catch (error) {
    const name = providerError(error);
    if (name === 'invalid_grant') throw signedOut('Your sign-in has ended.');
    if (name) throw fail('unavailable', `The identity provider did not renew the sign-in (${name}).`);
    throw unreachable(tokens.tokenEndpoint, error);
  }
}
