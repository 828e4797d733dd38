import { fail, type Principal } from '@tautan/kit';
import { publicSessionId } from '../domain/session.js';
import { endFoundSessions } from '../steps/end-found-sessions.js';
import type { SignInDeps } from '../../session-deps.js';
import { originOf } from '../steps/session-principal.js';

/**
 * Ends the user's session with this public id, with the same effects as `endSession`. Throws NOT_FOUND if the user has
 * no such session.
 */
export async function revokeSession(deps: SignInDeps, by: Principal, { id }: { id: string }): Promise<void> {
  const session = (await deps.sessions.listOf(by.id, deps.now())).find((each) => publicSessionId(each) === id);
  const ended = session ? await endFoundSessions(deps, [session], originOf(by)) : 0;
  if (ended === 0) throw fail('NOT_FOUND', 'You have no session with this id.');
}
