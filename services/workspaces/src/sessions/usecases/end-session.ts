import { isSessionSecret, sessionIdOf } from '../domain/session.js';
import { endFoundSession } from '../steps/end-found-session.js';
import type { SignIn } from '../steps/session-principal.js';
import type { SignInDeps } from '../../session-deps.js';

/**
 * Ends a session, on every gateway immediately, and emits `session.ended` in the user's workspace; the provider is notified in
 * the background. Does nothing if there is no such session.
 */
export async function endSession(deps: SignInDeps, { secret, ...signIn }: SignIn & { secret: string }): Promise<void> {
  if (!isSessionSecret(secret)) return;
  const session = await deps.sessions.find(sessionIdOf(secret));
  if (session) await endFoundSession(deps, session, signIn);
}
