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
 * and NOT_FOUND if sign-up is not available.
 */
export async function signUp(deps: SignInDeps, { email, password, name, ...origin }: SignUp): Promise<OpenedSession> {
  const { provider } = signInProvider(deps);
  const account = { email: emailAddress(email), password: validPassword(password), name: oneLine(name, 'name', 100) };
  await provider.signUp(account);
  const tokens = await provider.passwordLogin(account.email, account.password);
  return openSession(deps, { tokens, ...origin });
}
