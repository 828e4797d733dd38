import { refreshTokenGrant } from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { signedOut } from '../errors.js';
import { oauthClient, providerError } from './oauth.js';
import { tokensOf } from './tokens.js';

/**
 * Exchanges a refresh token for new tokens, at the identity provider of the service at `url`. Never retries: if the
 * response is lost, the token may have been used, and a second use would end the session. Throws `signedOut` if the
 * provider rejects the token.
 */
export async function refreshTokens(url: string, tokens: Tokens & { refreshToken: string }): Promise<Tokens> {
  const client = oauthClient(url, tokens);
  try {
    return tokensOf(await refreshTokenGrant(client, tokens.refreshToken), tokens);
  } catch (error) {
    if (providerError(error)) throw signedOut('Your sign-in has ended.');
    throw unreachable(tokens.tokenEndpoint, error);
  }
}
