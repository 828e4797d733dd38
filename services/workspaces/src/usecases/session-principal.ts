import type { Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import type { Person, SignInClient } from '../domain/person.js';

/** Where a request to sign in or out came from. */
export interface SignIn {
  client: SignInClient;
  requestId: string;
}

/** Returns the principal of a user who signs in or out, in the workspace that they work in; null without one. */
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

/** Returns the event of a session that ended. The reason is among the changes too, so that the audit log shows it. */
export function sessionEnding(person: Pick<Person, 'user'>, reason: EventData<'session.ended'>['reason']) {
  const { target, data } = sessionSubject(person);
  const changes = { reason: { before: null, after: reason } };
  return { type: 'session.ended' as const, target, data: { ...data, reason }, changes };
}

/** What an event about a user's session is about, and what it carries. */
export const sessionSubject = ({ user }: Pick<Person, 'user'>) => ({
  target: { type: 'user', id: user._id, label: user.email || user.name },
  data: { userId: user._id, email: user.email },
});
