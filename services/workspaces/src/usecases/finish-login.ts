import { fail } from '@tautan/kit';
import { hashOf, isBrowserOf } from '../domain/login.js';
import type { LoginAttempt } from '../provider/identity-provider.js';
import { openSession, type OpenedSession } from './open-session.js';
import type { SignIn } from './session-principal.js';
import { providerToSignInAt, type SignInDeps } from './session-deps.js';

/**
 * Ends a sign-in by browser: trades the code in the callback for tokens and opens a session. Works once, within ten minutes,
 * in the browser that began it; else throws UNAUTHENTICATED, as it does when the provider did not sign the person in.
 */
export async function finishLogin(
  deps: SignInDeps,
  { callbackUrl, browserSecret, ...signIn }: SignIn & { callbackUrl: string; browserSecret: string },
): Promise<OpenedSession & { returnTo: string }> {
  const { provider, sealing } = providerToSignInAt(deps);
  const unknown = fail('UNAUTHENTICATED', 'This sign-in is over, or was begun elsewhere; begin again.');
  const state = URL.canParse(callbackUrl) ? new URL(callbackUrl).searchParams.get('state') : null;
  const login = state ? await deps.logins.take(hashOf(state)) : null;
  if (!login || login.expiresAt <= deps.now() || !isBrowserOf(login, browserSecret)) throw unknown;
  const attempt = sealing.open(login.attempt, login._id);
  if (attempt === undefined) throw unknown;
  const tokens = await provider.finishLogin(JSON.parse(attempt) as LoginAttempt, callbackUrl);
  return { ...(await openSession(deps, { tokens, ...signIn })), returnTo: login.returnTo };
}
