import { isSessionSecret, sessionIdOf } from '../domain/session.js';
import type { OpenedSession } from '../steps/open-session.js';
import { withCurrentWorkspace } from '../steps/current-workspace.js';
import { refreshTokens, sessionEnded } from '../steps/refresh-tokens.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';

/**
 * Refreshes a session's tokens and extends the session. A session without a refresh token stays unchanged. Concurrent
 * calls share one refresh. Throws NOT_FOUND if no provider is configured, UNAUTHENTICATED for an ended session,
 * TOO_MANY_REQUESTS if the provider limits requests, and UPSTREAM_UNAVAILABLE if it does not respond in time. A late
 * response is still stored.
 */
export async function refreshSession(deps: SignInDeps, { secret }: { secret: string }): Promise<OpenedSession> {
  signInProvider(deps); // Throws NOT_FOUND.
  const found = isSessionSecret(secret) ? await deps.sessions.find(sessionIdOf(secret)) : null;
  if (!found || found.expiresAt <= deps.now()) throw sessionEnded();
  const { userId, expiresAt } = found.refreshToken ? await refreshTokens(deps, found) : found;
  const user = await deps.users.find(userId);
  if (!user) throw sessionEnded();
  const authenticated = await withCurrentWorkspace(deps, { user, credentialKind: 'session', expiresAt });
  return { secret, expiresAt, user: authenticated };
}
