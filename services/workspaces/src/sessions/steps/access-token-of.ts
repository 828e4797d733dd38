import { isAccessEnding, isSessionSecret, sessionIdOf } from '../domain/session.js';
import { refreshTokens, sessionEnded } from './refresh-tokens.js';
import { credentialProvider, type SessionDeps } from '../../session-deps.js';

/**
 * Returns the access token for calls to the provider on behalf of a credential. The secret of a session yields the
 * session's token, refreshed if less than a minute is left; any other credential is an access token and is returned
 * unchanged. Rejects with UNAUTHENTICATED for an ended session, and with UPSTREAM_UNAVAILABLE or TOO_MANY_REQUESTS if a
 * refresh is due and the provider does not respond or limits requests.
 */
export async function accessTokenOf(deps: SessionDeps, credential: string): Promise<string> {
  const { sealing } = credentialProvider(deps);
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
