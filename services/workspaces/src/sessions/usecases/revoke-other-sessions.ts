import type { Principal } from '@tautan/kit';
import { isSecretOf } from '../domain/session.js';
import { endFoundSession } from '../steps/end-found-session.js';
import { originOf } from '../steps/session-principal.js';
import type { SignInDeps } from '../../session-deps.js';

/**
 * Ends all sessions of the user except the one that the credential belongs to. Returns the number of ended sessions.
 */
export async function revokeOtherSessions(
  deps: SignInDeps,
  by: Principal,
  { credential }: { credential: string },
): Promise<number> {
  let count = 0;
  for (const session of await deps.sessions.listOf(by.id, deps.now())) {
    if (!isSecretOf(session, credential) && (await endFoundSession(deps, session, originOf(by)))) count += 1;
  }
  return count;
}
