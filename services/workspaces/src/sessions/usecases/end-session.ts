import { isSessionSecret, sessionIdOf } from '../domain/session.js';
import { endFoundSessions } from '../steps/end-found-sessions.js';
import type { RequestOrigin } from '../steps/session-principal.js';
import type { SignInDeps } from '../../session-deps.js';

/**
 * Ends a session on every gateway immediately, and emits `session.ended` in the user's workspace. The session's refresh
 * token is revoked at the provider in the background. Does nothing if no such session exists.
 */
export async function endSession(
  deps: SignInDeps,
  { secret, ...origin }: RequestOrigin & { secret: string },
): Promise<void> {
  if (!isSessionSecret(secret)) return;
  const session = await deps.sessions.find(sessionIdOf(secret));
  if (session) await endFoundSessions(deps, [session], origin);
}
