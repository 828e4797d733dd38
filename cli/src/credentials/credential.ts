import type { CredentialSource } from '@tautan/sdk';
import { isCliError, signedOut } from '../errors.js';
import { forgetCredential, type Tokens } from './file.js';
import type { CredentialStore } from './store.js';

/** Returns a credential for an API key, which is never refreshed. */
export const keyCredential =
  (key: string): CredentialSource =>
  () =>
    key;

/** Returns the stored credential of a service: a user's tokens, refreshed when necessary, or an API key. */
export function storedCredential(store: CredentialStore, url: string): CredentialSource {
  const profile = store.profile(url);
  if (profile?.apiKey) return keyCredential(profile.apiKey);
  if (!profile?.tokens) throw signedOut();
  let { tokens } = profile;
  return async (refused) => {
    if (refused === tokens.accessToken || isExpired(tokens)) tokens = await refreshUnderLock(store, url, tokens);
    return tokens.accessToken;
  };
}

const isExpired = ({ refreshAt }: Tokens): boolean => Date.parse(refreshAt) <= Date.now();

/**
 * Refreshes expired or rejected tokens (`spent`) under a lock, because using a refresh token twice ends the session. A
 * process that waited for the lock uses the tokens of the previous holder, unless they have expired too. New tokens are
 * on disk before they are used.
 */
function refreshUnderLock(store: CredentialStore, url: string, spent: Tokens): Promise<Tokens> {
  return store.change(async (file, save) => {
    const profile = file.profiles[url];
    const tokens = profile?.tokens;
    if (!tokens) throw signedOut('You were signed out by another command.');
    if (tokens.accessToken !== spent.accessToken && !isExpired(tokens)) return tokens;
    const { refreshToken } = tokens;
    if (!refreshToken) throw signedOut('Your sign-in has ended.');
    const { refreshTokens } = await import('../identity/refresh.js');
    try {
      profile.tokens = await refreshTokens(url, { ...tokens, refreshToken });
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
