import type { Principal } from '@tautan/kit';
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

/** What an event about a user's session is about, and what it carries. */
export const sessionSubject = ({ user }: Pick<Person, 'user'>) => ({
  target: { type: 'user', id: user._id, label: user.email || user.name },
  data: { userId: user._id, email: user.email },
});
