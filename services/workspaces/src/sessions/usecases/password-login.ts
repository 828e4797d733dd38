import { faultCode } from '@tautan/kit';
import { emailAddress } from '../../members/domain/member.js';
import { password as validPassword } from '../domain/password.js';
import { openSession, type OpenedSession } from '../steps/open-session.js';
import { withCurrentWorkspace } from '../steps/current-workspace.js';
import { sessionPrincipal, sessionSubject, type RequestOrigin } from '../steps/session-principal.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';

/**
 * Opens a session with an email address and a password (RFC 6749, 4.3). If the password is wrong, and the user has a
 * workspace, emits `session.failed`. Throws VALIDATION_ERROR naming `email` or `password` for invalid input,
 * UNAUTHENTICATED if either is wrong, and NOT_FOUND if the provider does not support password sign-in.
 */
export async function passwordLogin(
  deps: SignInDeps,
  { email, password, ...origin }: RequestOrigin & { email: string; password: string },
): Promise<OpenedSession> {
  const { provider } = signInProvider(deps);
  const address = emailAddress(email);
  const tokens = await provider.passwordLogin(address, validPassword(password)).catch((error: unknown) => {
    // In the background, so that the response time does not reveal whether an account has this address.
    if (faultCode(error) === 'UNAUTHENTICATED')
      deps.background.run(`refused sign-in ${origin.requestId}`, () => recordRefusal(deps, address, origin));
    throw error;
  });
  return openSession(deps, { tokens, ...origin });
}

/** Emits `session.failed` in the workspace of the user with this address, if there is one. */
async function recordRefusal(deps: SignInDeps, email: string, origin: RequestOrigin): Promise<void> {
  const user = await deps.users.findByEmail(email);
  if (!user) return;
  const authenticated = await withCurrentWorkspace(deps, { user, credentialKind: 'session', expiresAt: deps.now() });
  const by = sessionPrincipal(authenticated, origin);
  if (by)
    await deps.transact(by, async (tx) => void tx.emit({ type: 'session.failed', ...sessionSubject(authenticated) }));
}
