import { fail, type ErrorCode } from '@tautan/kit';
import { faultOf } from '@tautan/kit/mongo';
import { emailAddress } from '../../members/domain/member.js';
import { password as validPassword } from '../domain/password.js';
import { oneLine } from '../../domain/text.js';
import { openSession, type OpenedSession } from '../steps/open-session.js';
import type { RequestOrigin } from '../steps/session-principal.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';

interface SignUp extends RequestOrigin {
  email: string;
  password: string;
  name: string;
}

/**
 * Creates an account at the provider and opens a session. Throws VALIDATION_ERROR naming `email`, `password` or `name`,
 * and NOT_FOUND if sign-up is not available. If the account was created but no session could be opened, the message of
 * the error says so.
 */
export async function signUp(deps: SignInDeps, { email, password, name, ...origin }: SignUp): Promise<OpenedSession> {
  const { provider } = signInProvider(deps);
  const account = { email: emailAddress(email), password: validPassword(password), name: oneLine(name, 'name', 100) };
  await provider.signUp(account);
  try {
    const tokens = await provider.passwordLogin(account.email, account.password);
    return await openSession(deps, { tokens, ...origin });
  } catch (error) {
    throw afterCreation(error);
  }
}

/** Returns a sign-in's error with a message that says that the account exists, because a second sign-up would fail. */
function afterCreation(error: unknown): unknown {
  const fault = faultOf(error);
  if (!fault) return error;
  const next = nextSteps[fault.code] ?? 'The account was created, but the sign-in failed. Sign in later.';
  return fail(fault.code, next, undefined, fault.retryAfter);
}

const nextSteps: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED:
    'The account was created, but you cannot sign in yet. Confirm it as the identity provider requires, then sign in.',
  NOT_FOUND:
    'The account was created. The identity provider does not support password sign-in: sign in with a browser.',
};
