import { randomBytes } from 'node:crypto';
import { fail, type Sealing } from '@tautan/kit';
import { hashOf, LOGIN_MS, returnPath } from '../domain/login.js';
import type { IdentityProvider } from '../provider/identity-provider.js';
import type { LoginStore } from '../store/logins.js';
import { providerToSignInAt } from './session-deps.js';

interface Deps {
  provider: IdentityProvider | undefined;
  sealing: Sealing | undefined;
  logins: LoginStore;
  now: () => Date;
}

/**
 * Begins a sign-in by browser (authorization code with PKCE, RFC 7636; `state` and `nonce`). The browser's secret comes
 * back with the callback, so that nobody can make another's browser finish a sign-in that they began themselves. Throws
 * VALIDATION_ERROR naming `returnTo` or `redirectUri`.
 */
export async function beginLogin(
  deps: Deps,
  { returnTo, redirectUri }: { returnTo: string; redirectUri: string },
): Promise<{ authorizationUrl: string; browserSecret: string }> {
  const { provider, sealing } = providerToSignInAt(deps);
  const path = returnPath(returnTo);
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) {
    throw fail('VALIDATION_ERROR', 'redirectUri must be an http(s) address.', 'redirectUri');
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
