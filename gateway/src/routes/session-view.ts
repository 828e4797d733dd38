import { fail } from '@tautan/kit';
import type { OpenedSessionMessage, SessionRecord } from '@tautan/proto';
import { userCaller, type Caller } from '../callers.js';
import { sessionCookie } from '../cookies.js';
import type { Reply } from './route.js';

/**
 * Returns the session of a caller. `name`: the name of the workspace; required if the caller is an API key, because
 * `caller.workspaceName` is then empty.
 */
export function sessionView(caller: Caller, name = caller.workspaceName): SessionRecord {
  const { kind, id, workspaceId, role, plan, credentialKind, expiresAt } = caller;
  const isKey = kind === 'api_key';
  return {
    user: isKey ? null : { id, email: caller.email, name: caller.name },
    workspace: workspaceId === '' ? null : { id: workspaceId, name, role: isKey ? null : role, plan },
    credential: isKey
      ? { type: 'api_key', id, label: caller.name }
      : { type: credentialKind, ...(expiresAt && { expiresAt }) },
  };
}

/** Returns the reply for a session that was created or refreshed, with its cookie. */
export function sessionReply({ secret, expiresAt, user }: OpenedSessionMessage): Reply {
  if (!user) throw fail('INTERNAL_ERROR', 'The workspaces service sent a session without its user.');
  return {
    data: sessionView({ ...userCaller(user), credentialKind: 'session', expiresAt }),
    cookies: [sessionCookie(secret, expiresAt)],
  };
}
