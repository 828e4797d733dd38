import { fail } from '@tautan/kit';
import { hashOf, isBrowserOf } from '../domain/login.js';
import type { LoginAttempt } from '../../provider/identity-provider.js';
import { openSession, type OpenedSession } from '../steps/open-session.js';
import type { RequestOrigin } from '../steps/session-principal.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';

/**
 * Finishes a browser sign-in: exchanges the code in the callback for tokens and opens a session. A sign-in can be
 * finished once, within ten minutes of its start, in the browser that started it. Otherwise, or if the provider
 * rejected the sign-in, throws UNAUTHENTICATED.
 */
export async function finishLogin(
  deps: SignInDeps,
  { callbackUrl, browserSecret, ...origin }: RequestOrigin & { callbackUrl: string; browserSecret: string },
): Promise<OpenedSession & { returnTo: string }> {
  const { provider, sealing } = signInProvider(deps);
  const refusal = fail('UNAUTHENTICATED', 'This sign-in has expired or was started in another browser. Start again.');
  const state = URL.canParse(callbackUrl) ? new URL(callbackUrl).searchParams.get('state') : null;
  const login = state ? await deps.logins.take(hashOf(state)) : null;
  if (!login || login.expiresAt <= deps.now() || !isBrowserOf(login, browserSecret)) throw refusal;
  const attempt = sealing.open(login.attempt, login._id);
  if (attempt === undefined) throw refusal;
  const tokens = await provider.finishLogin(JSON.parse(attempt) as LoginAttempt, callbackUrl);
  return { ...(await openSession(deps, { tokens, ...origin })), returnTo: login.returnTo };
}
