import { randomBytes } from 'node:crypto';
import { fail, type Sealing } from '@tautan/kit';
import { hashOf, LOGIN_MS, returnPath } from '../domain/login.js';
import type { IdentityProvider } from '../../provider/identity-provider.js';
import type { LoginStore } from '../store/logins.js';
import { signInProvider } from '../../session-deps.js';

interface Deps {
  provider: IdentityProvider | undefined;
  sealing: Sealing | undefined;
  logins: LoginStore;
  now: () => Date;
}

/**
 * Starts a browser sign-in: authorization code with PKCE (RFC 7636), `state` and `nonce`. The browser must present its
 * secret with the callback, so that an attacker cannot make a victim's browser finish the attacker's sign-in. Throws
 * VALIDATION_ERROR naming `returnTo` or `redirectUri`.
 */
export async function beginLogin(
  deps: Deps,
  { returnTo, redirectUri }: { returnTo: string; redirectUri: string },
): Promise<{ authorizationUrl: string; browserSecret: string }> {
  const { provider, sealing } = signInProvider(deps);
  const path = returnPath(returnTo);
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) {
    throw fail('VALIDATION_ERROR', 'redirectUri must be an http(s) URL.', 'redirectUri');
  }
  const { attempt, authorizationUrl } = await provider.beginLogin(redirectUri);
  const browserSecret = randomBytes(32).toString('base64url');
  const _id = hashOf(attempt.state);
  await deps.logins.insert({
    _id,
    attempt: sealing.seal(JSON.stringify(attempt), _id),
    browserHash: hashOf(browserSecret),
    returnTo: path,
    expiresAt: new Date(deps.now().getTime() + LOGIN_MS),
  });
  return { authorizationUrl, browserSecret };
}
