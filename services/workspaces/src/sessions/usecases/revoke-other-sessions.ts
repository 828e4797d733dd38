import type { Principal } from '@tautan/kit';
import { isSecretOf } from '../domain/session.js';
import { endFoundSessions } from '../steps/end-found-sessions.js';
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
  const all = await deps.sessions.listOf(by.id, deps.now());
  const others = all.filter((session) => !isSecretOf(session, credential));
  return endFoundSessions(deps, others, originOf(by));
}
