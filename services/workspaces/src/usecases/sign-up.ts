import { emailAddress } from '../domain/member.js';
import { password as goodPassword } from '../domain/password.js';
import { oneLine } from '../domain/text.js';
import { openSession, type OpenedSession } from './open-session.js';
import type { SignIn } from './session-principal.js';
import { providerToSignInAt, type SignInDeps } from './session-deps.js';

interface SignUp extends SignIn {
  email: string;
  password: string;
  name: string;
}

/**
 * Signs a person up at the provider and opens a session. Throws VALIDATION_ERROR naming `email`, `password` or `name`,
 * NOT_FOUND where nobody can sign up.
 */
export async function signUp(deps: SignInDeps, { email, password, name, ...signIn }: SignUp): Promise<OpenedSession> {
  const { provider } = providerToSignInAt(deps);
  const person = { email: emailAddress(email), password: goodPassword(password), name: oneLine(name, 'name', 100) };
  await provider.signUp(person);
  const tokens = await provider.passwordLogin(person.email, person.password);
  return openSession(deps, { tokens, ...signIn });
}
