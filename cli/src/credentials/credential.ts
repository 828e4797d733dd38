import type { CredentialSource } from '@tautan/sdk';
import { isCliError, signedOut } from '../errors.js';
import { forgetCredential, type Tokens } from './file.js';
import type { CredentialStore } from './store.js';

/** An API key: does not expire. */
export const keyCredential =
  (key: string): CredentialSource =>
  () =>
    key;

/** What is stored for a service: a person's tokens, renewed when they need be, or an API key. */
export function storedCredential(store: CredentialStore, url: string): CredentialSource {
  const profile = store.profile(url);
  if (profile?.apiKey) return keyCredential(profile.apiKey);
  if (!profile?.tokens) throw signedOut();
  let { tokens } = profile;
  return async (refused) => {
    const isSpent = refused === tokens.accessToken || Date.parse(tokens.refreshAt) <= Date.now();
    if (isSpent) tokens = await renewed(store, url, tokens);
    return tokens.accessToken;
  };
}

/**
 * Renews tokens that are spent. One process at a time does, and one that waited takes what the one before it got: a refresh
 * token that is used twice ends the session. New tokens are on disk before they are used.
 */
function renewed(store: CredentialStore, url: string, spent: Tokens): Promise<Tokens> {
  return store.change(async (file, save) => {
    const profile = file.profiles[url];
    const tokens = profile?.tokens;
    if (!tokens) throw signedOut('You were signed out meanwhile.');
    if (tokens.accessToken !== spent.accessToken) return tokens;
    const { refreshToken } = tokens;
    if (!refreshToken) throw signedOut('Your sign-in has ended.');
    const { refreshTokens } = await import('../identity/refresh.js');
    try {
      profile.tokens = await refreshTokens({ ...tokens, refreshToken });
    } catch (error) {
      if (isCliError(error) && error.failure === 'signedOut') {
        forgetCredential(file, url);
        save();
      }
      throw error;
    }
    save();
    return profile.tokens;
  });
}
