import { emailAddress } from '../domain/member.js';
import { password as goodPassword } from '../domain/password.js';
import { openSession, type OpenedSession, type SignIn } from './open-session.js';
import { providerToSignInAt, type SignInDeps } from './session-deps.js';

/**
 * Opens a session by email and password (RFC 6749, 4.3). Throws VALIDATION_ERROR naming `email` or `password` for what cannot
 * be one, UNAUTHENTICATED for a wrong one of either, NOT_FOUND where the provider does not offer it.
 */
export async function passwordLogin(
  deps: SignInDeps,
  { email, password, ...signIn }: SignIn & { email: string; password: string },
): Promise<OpenedSession> {
  const { provider } = providerToSignInAt(deps);
  const tokens = await provider.passwordLogin(emailAddress(email), goodPassword(password));
  return openSession(deps, { tokens, ...signIn });
}
