import { fail } from '@tautan/kit';
import type { Person } from '../domain/person.js';
import { isSessionSecret, isVisitWorthNoting, sessionEnd, sessionIdOf } from '../domain/session.js';
import type { PeopleDeps } from './deps.js';
import { keepInStep } from './keep-in-step.js';
import { knowUser } from './know-user.js';
import { placePerson } from './place-person.js';
import { sessionEnded } from './refresh-tokens.js';
import { providerOfPeople, type SessionDeps } from './session-deps.js';

type Deps = PeopleDeps & SessionDeps;
type Shown = Omit<Person, 'place'>;

/**
 * Answers for whom a session's secret or an access token speaks, and in which workspace (see placePerson). Throws
 * UNAUTHENTICATED, TOKEN_EXPIRED, FORBIDDEN for a named workspace that is not theirs, UPSTREAM_UNAVAILABLE when a token
 * cannot be checked without the provider and it does not answer.
 */
export async function authenticatePerson(
  deps: Deps,
  { credential, workspaceId }: { credential: string; workspaceId: string },
): Promise<Person> {
  const shown = isSessionSecret(credential) ? await bySession(deps, credential) : await byToken(deps, credential);
  await keepInStep(deps, { user: shown.user, credential, workspaceId });
  return placePerson(deps, { ...shown, workspaceId });
}

async function bySession(deps: Deps, secret: string): Promise<Shown> {
  providerOfPeople(deps);
  const now = deps.now();
  const session = await deps.sessions.find(sessionIdOf(secret));
  const user = session && session.expiresAt > now ? await deps.users.find(session.userId) : null;
  if (!session || !user) throw sessionEnded();
  if (!isVisitWorthNoting(session, now)) return { user, credential: 'session', expiresAt: session.expiresAt };
  const expiresAt = sessionEnd(session, now);
  deps.background.run(`visit ${session._id}`, () => deps.sessions.noteVisit(session._id, now, expiresAt));
  return { user, credential: 'session', expiresAt };
}

async function byToken(deps: Deps, token: string): Promise<Shown> {
  const { provider } = providerOfPeople(deps);
  // Our own keys and malformed secrets are nothing to show to anybody else.
  if (token === '' || token.startsWith('tau_')) throw fail('UNAUTHENTICATED', 'The credential is not valid.');
  const { expiresAt, ...claims } = await provider.verify(token);
  return { user: await knowUser(deps, provider, { claims, accessToken: token }), credential: 'token', expiresAt };
}
