import type { Transaction } from '@tautan/kit/mongo';
import type { Session } from '../domain/session.js';
import type { ListedSession } from '../store/sessions.js';
import { withCurrentWorkspace } from './current-workspace.js';
import type { SignInDeps } from '../../session-deps.js';
import { sessionEnding, sessionPrincipal, type RequestOrigin } from './session-principal.js';

/**
 * Ends a session that the caller has already read from the database. The end takes effect on every gateway
 * immediately; the refresh token is revoked at the provider in the background. Returns false if another request ended
 * the session first.
 */
export async function endFoundSession(
  deps: SignInDeps,
  session: ListedSession,
  origin: RequestOrigin,
): Promise<boolean> {
  const ended = await takeSession(deps, session, origin);
  if (!ended) return false;
  deps.recheckCredentials({ userIds: [ended.userId] });
  const { provider, sealing } = deps;
  const refreshToken = ended.refreshToken && sealing?.open(ended.refreshToken, ended._id);
  if (provider && refreshToken) deps.background.run(`end of ${ended._id}`, () => provider.revoke(refreshToken));
  return true;
}

/**
 * Removes a session, and emits `session.ended` in the user's current workspace, if they have one. Returns the session's
 * last state, or null if another request ended it.
 */
async function takeSession(deps: SignInDeps, session: ListedSession, origin: RequestOrigin): Promise<Session | null> {
  const { userId, expiresAt } = session;
  const user = await deps.users.find(userId);
  const authenticated =
    user && (await withCurrentWorkspace(deps, { user, credential: 'session', expiresAt, workspaceId: '' }));
  const by = authenticated && sessionPrincipal(authenticated, origin);
  return deps.transact(by, async (tx: Transaction) => {
    const ended = await deps.sessions.take(session._id, tx);
    if (ended && by) tx.emit(sessionEnding(authenticated, 'signed_out'));
    return ended;
  });
}
