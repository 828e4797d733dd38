import { setTimeout as pause } from 'node:timers/promises';
import { fail, faultCode } from '@tautan/kit';
import type { Person } from '../domain/person.js';
import { isAccessEnding, isSessionSecret, isVisitWorthNoting, sessionEnd, sessionIdOf, type Session } from '../domain/session.js'; // prettier-ignore
import type { PeopleDeps } from './deps.js';
import { keepInStep } from './keep-in-step.js';
import { knowUser } from './know-user.js';
import { placePerson } from './place-person.js';
import { refreshTokens, sessionEnded } from './refresh-tokens.js';
import { providerOfPeople, type SessionDeps } from './session-deps.js';

type Deps = PeopleDeps & SessionDeps;
type Shown = Omit<Person, 'place'>;

/** Longest that a response waits for the provider to confirm a session. Below an RPC's deadline. */
const CONFIRM_MS = 1_000;

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
  const found = await deps.sessions.find(sessionIdOf(secret));
  const session = found && found.expiresAt > now ? await confirmed(deps, found, now) : null;
  const user = session && (await deps.users.find(session.userId));
  if (!session || !user) throw sessionEnded();
  if (!isVisitWorthNoting(session, now)) return { user, credential: 'session', expiresAt: session.expiresAt };
  const expiresAt = sessionEnd(session, now);
  deps.background.run(`visit ${session._id}`, () => deps.sessions.noteVisit(session._id, now, expiresAt));
  return { user, credential: 'session', expiresAt };
}

/**
 * Refreshes the tokens of a session whose access token has ended, so that it ends with the user's account or sign-in at the
 * provider. Returns null for a session that the provider ended. A provider that does not answer ends none.
 */
async function confirmed(deps: Deps, session: Session, now: Date): Promise<Session | null> {
  if (!session.refreshToken || !isAccessEnding(session, now)) return session;
  const refreshed = refreshTokens(deps, session).catch((error: unknown) => {
    if (faultCode(error) === 'UPSTREAM_UNAVAILABLE') return session;
    // It may be this process alone that cannot read the tokens, without the newest encryption key.
    if (faultCode(error) === 'UNAUTHENTICATED') return deps.sessions.find(session._id);
    throw error;
  });
  return Promise.race([refreshed, pause(CONFIRM_MS, session, { ref: false })]);
}

async function byToken(deps: Deps, token: string): Promise<Shown> {
  const { provider } = providerOfPeople(deps);
  // Our own keys and malformed secrets are nothing to show to anybody else.
  if (token === '' || token.startsWith('tau_')) throw fail('UNAUTHENTICATED', 'The credential is not valid.');
  const { expiresAt, ...claims } = await provider.verify(token);
  return { user: await knowUser(deps, provider, { claims, accessToken: token }), credential: 'token', expiresAt };
}
