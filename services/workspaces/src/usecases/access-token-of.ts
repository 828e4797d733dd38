import { isAccessEnding, isSessionSecret, sessionIdOf } from '../domain/session.js';
import { refreshTokens, sessionEnded } from './refresh-tokens.js';
import { providerOfPeople, type SessionDeps } from './session-deps.js';

/**
 * The access token to ask the provider with, in the name of whoever showed a credential: a session's, refreshed when less
 * than a minute of it is left; a token is handed back as it is. Rejects with UNAUTHENTICATED for a session that ended, with
 * UPSTREAM_UNAVAILABLE when a refresh is due and the provider does not answer.
 */
export async function accessTokenOf(deps: SessionDeps, credential: string): Promise<string> {
  const { sealing } = providerOfPeople(deps);
  if (!isSessionSecret(credential)) return credential;
  const now = deps.now();
  const found = await deps.sessions.find(sessionIdOf(credential));
  if (!found || found.expiresAt <= now) throw sessionEnded();
  const due = found.refreshToken !== null && isAccessEnding(found, now);
  const session = due ? await refreshTokens(deps, found) : found;
  const token = sealing.open(session.accessToken, session._id);
  if (token === undefined) throw sessionEnded();
  return token;
}
