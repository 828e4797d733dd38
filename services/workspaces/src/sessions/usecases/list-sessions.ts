import type { Principal } from '@tautan/kit';
import { isSessionSecret, sessionIdOf, publicSessionId } from '../domain/session.js';
import type { ListedSession } from '../store/sessions.js';
import type { SignInDeps } from '../../session-deps.js';

/** A user's session as represented in the API. */
export interface PublicSession extends Pick<
  ListedSession,
  'ip' | 'userAgent' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
> {
  id: string;
  /** Whether the credential belongs to this session. */
  current: boolean;
}

type Deps = Pick<SignInDeps, 'sessions' | 'now'>;

/** Returns the user's sessions, newest first. */
export async function listSessions(
  deps: Deps,
  { by, credential }: { by: Principal; credential: string },
): Promise<PublicSession[]> {
  const found = await deps.sessions.listOf(by.id, deps.now());
  return found.map((session) => ({ ...session, id: publicSessionId(session), current: isOf(session, credential) }));
}

/** Returns whether a credential is the secret of a session. */
export const isOf = ({ _id }: Pick<ListedSession, '_id'>, credential: string): boolean =>
  isSessionSecret(credential) && sessionIdOf(credential) === _id;
