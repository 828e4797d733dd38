import { refreshTokenGrant } from 'openid-client';
import { unreachable } from '../connection.js';
import type { Tokens } from '../credentials/file.js';
import { signedOut } from '../errors.js';
import { oauthClient, providerError } from './oauth.js';
import { tokensOf } from './tokens.js';

/**
 * Trades a refresh token for new tokens. It is sent once: when the answer is lost nobody knows whether it was used, and a
 * second use would end the whole session. Fails with `signedOut` when the provider does not take it any more.
 */
export async function refreshTokens(tokens: Tokens & { refreshToken: string }): Promise<Tokens> {
  try {
    return tokensOf(await refreshTokenGrant(oauthClient(tokens), tokens.refreshToken), tokens);
  } catch (error) {
    if (providerError(error)) throw signedOut('Your sign-in has ended.');
    throw unreachable(tokens.tokenEndpoint, error);
  }
}
