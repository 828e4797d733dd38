import type { Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import type { AuthenticatedUser, SignInClient } from '../domain/authenticated-user.js';

/** The client and the id of a request that starts or ends a session. */
export interface RequestOrigin {
  client: SignInClient;
  requestId: string;
}

/**
 * Returns a user's principal in their current workspace, for a sign-in or sign-out; null without a current workspace.
 */
export const sessionPrincipal = (
  { user, current }: Pick<AuthenticatedUser, 'user' | 'current'>,
  { client, requestId }: RequestOrigin,
): Principal | null =>
  current && {
    workspaceId: current.workspace._id,
    kind: 'user',
    id: user._id,
    name: user.name,
    role: current.role,
    plan: current.workspace.plan,
    ...client,
    requestId,
  };

/** Returns the event of an ended session. The changes include the reason, so that the audit log contains it. */
export function sessionEnding(
  authenticated: Pick<AuthenticatedUser, 'user'>,
  reason: EventData<'session.ended'>['reason'],
) {
  const { target, data } = sessionSubject(authenticated);
  const changes = { reason: { before: null, after: reason } };
  return { type: 'session.ended' as const, target, data: { ...data, reason }, changes };
}

/** Returns the target and data of an event about a user's session. */
export const sessionSubject = ({ user }: Pick<AuthenticatedUser, 'user'>) => ({
  target: { type: 'user', id: user._id, label: user.email || user.name },
  data: { userId: user._id, email: user.email },
});

/** Returns the origin of a principal's request. */
export const originOf = ({ ip, userAgent, requestId }: Principal): RequestOrigin => ({
  client: { ip, userAgent },
  requestId,
});
