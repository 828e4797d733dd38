import { fail, type Principal } from '@tautan/kit';
import { publicSessionId } from '../domain/session.js';
import { endFoundSession } from './end-session.js';
import { isOf } from './list-sessions.js';
import type { SignInDeps } from '../../session-deps.js';
import type { SignIn } from '../steps/session-principal.js';

const signInOf = ({ ip, userAgent, requestId }: Principal): SignIn => ({ client: { ip, userAgent }, requestId });

/** Ends a session of the user by its public id, as `endSession` does. Throws NOT_FOUND for any other id. */
export async function revokeSession(deps: SignInDeps, { by, id }: { by: Principal; id: string }): Promise<void> {
  const session = (await deps.sessions.listOf(by.id, deps.now())).find((each) => publicSessionId(each) === id);
  const ended = session && (await endFoundSession(deps, session, signInOf(by)));
  if (!ended) throw fail('NOT_FOUND', 'You have no session with this id.');
}

/** Ends all sessions of the user except for the one of the credential. Returns how many were ended. */
export async function revokeOtherSessions(
  deps: SignInDeps,
  { by, credential }: { by: Principal; credential: string },
): Promise<number> {
  let count = 0;
  for (const session of await deps.sessions.listOf(by.id, deps.now())) {
    if (!isOf(session, credential) && (await endFoundSession(deps, session, signInOf(by)))) count += 1;
  }
  return count;
}
