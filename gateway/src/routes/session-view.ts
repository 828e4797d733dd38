import { fail } from '@tautan/kit';
import type { OpenedSessionMessage, SessionRecord } from '@tautan/proto';
import { personCaller, type Caller } from '../callers.js';
import { sessionCookie } from '../cookies.js';
import type { Reply } from './route.js';

/** Returns the session of a caller. `name` is that of the workspace, if the caller does not have it. */
export function sessionView(caller: Caller, name = caller.workspaceName): SessionRecord {
  const { kind, id, workspaceId, role, plan, credential, expiresAt } = caller;
  const isKey = kind === 'api_key';
  return {
    user: isKey ? null : { id, email: caller.email, name: caller.name },
    workspace: workspaceId === '' ? null : { id: workspaceId, name, role: isKey ? null : role, plan },
    credential: isKey
      ? { type: 'api_key', id, label: caller.name }
      : { type: credential, ...(expiresAt && { expiresAt }) },
  };
}

/** Replies with a session that was created or refreshed, and its cookie. */
export function opened({ secret, expiresAt, person }: OpenedSessionMessage): Reply {
  if (!person) throw fail('INTERNAL_ERROR', 'The workspaces service sent a session without its user.');
  return {
    data: sessionView({ ...personCaller(person), credential: 'session', expiresAt }),
    cookies: [sessionCookie(secret, expiresAt)],
  };
}
