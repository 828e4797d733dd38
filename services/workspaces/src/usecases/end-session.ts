import { isSessionSecret, sessionIdOf } from '../domain/session.js';
import type { SessionDeps } from './session-deps.js';

/**
 * Ends a session, on every gateway at once; the provider is told in the background, as far as it listens. A session that
 * does not exist has ended.
 */
export async function endSession(deps: SessionDeps, { secret }: { secret: string }): Promise<void> {
  if (!isSessionSecret(secret)) return;
  const ended = await deps.sessions.take(sessionIdOf(secret));
  if (!ended) return;
  deps.dropCredentials({ userIds: [ended.userId] });
  const { provider, sealing } = deps;
  const refreshToken = ended.refreshToken && sealing?.open(ended.refreshToken, ended._id);
  if (provider && refreshToken) deps.background.run(`end of ${ended._id}`, () => provider.revoke(refreshToken));
}
