import type { Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import type { Person, SignInClient } from '../domain/person.js';

/** The origin of a request to sign in or out. */
export interface SignIn {
  client: SignInClient;
  requestId: string;
}

/** Returns the principal of a user who signs in or out, in their current workspace; null without one. */
export const sessionPrincipal = (
  { user, place }: Pick<Person, 'user' | 'place'>,
  { client, requestId }: SignIn,
): Principal | null =>
  place && {
    workspaceId: place.workspace._id,
    kind: 'user',
    id: user._id,
    name: user.name,
    role: place.role,
    plan: place.workspace.plan,
    ...client,
    requestId,
  };

/** Returns the event of an ended session. The changes include the reason, so that the audit log contains it. */
export function sessionEnding(person: Pick<Person, 'user'>, reason: EventData<'session.ended'>['reason']) {
  const { target, data } = sessionSubject(person);
  const changes = { reason: { before: null, after: reason } };
  return { type: 'session.ended' as const, target, data: { ...data, reason }, changes };
}

/** Returns the target and data of an event about a user's session. */
export const sessionSubject = ({ user }: Pick<Person, 'user'>) => ({
  target: { type: 'user', id: user._id, label: user.email || user.name },
  data: { userId: user._id, email: user.email },
});

/** Returns the client and request of a principal. */
export const signInOf = ({ ip, userAgent, requestId }: Principal): SignIn => ({ client: { ip, userAgent }, requestId });
