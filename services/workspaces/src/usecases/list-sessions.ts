import type { Principal } from '@tautan/kit';
import { isSessionSecret, sessionIdOf, shownIdOf } from '../domain/session.js';
import type { ListedSession } from '../store/sessions.js';
import type { SignInDeps } from './session-deps.js';

/** A user's session as the API shows it. */
export interface ShownSession extends Pick<
  ListedSession,
  'ip' | 'userAgent' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
> {
  id: string;
  /** Whether the credential is of this session. */
  current: boolean;
}

type Deps = Pick<SignInDeps, 'sessions' | 'now'>;

/** Returns the user's sessions, newest first. */
export async function listSessions(
  deps: Deps,
  { by, credential }: { by: Principal; credential: string },
): Promise<ShownSession[]> {
  const found = await deps.sessions.listOf(by.id, deps.now());
  return found.map((session) => ({ ...session, id: shownIdOf(session), current: isOf(session, credential) }));
}

/** Whether a credential is the secret of a session. */
export const isOf = ({ _id }: Pick<ListedSession, '_id'>, credential: string): boolean =>
  isSessionSecret(credential) && sessionIdOf(credential) === _id;
