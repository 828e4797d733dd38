import type { Principal } from '@tautan/kit';
import { isSecretOf, publicSessionId } from '../domain/session.js';
import type { ListedSession } from '../store/sessions.js';
import type { SignInDeps } from '../../session-deps.js';

/** A user's session as represented in the API. */
export interface PublicSession extends Pick<
  ListedSession,
  'ip' | 'userAgent' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
> {
  id: string;
  /** Whether the request was sent with this session's credential. */
  current: boolean;
}

type Deps = Pick<SignInDeps, 'sessions' | 'now'>;

/** Returns the user's sessions, newest first. */
export async function listSessions(
  deps: Deps,
  by: Principal,
  { credential }: { credential: string },
): Promise<PublicSession[]> {
  const found = await deps.sessions.listOf(by.id, deps.now());
  return found.map((session) => ({
    ...session,
    id: publicSessionId(session),
    current: isSecretOf(session, credential),
  }));
}
