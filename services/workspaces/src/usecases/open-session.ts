import { faultCode } from '@tautan/kit';
import type { Person } from '../domain/person.js';
import { newSessionSecret, sessionEnd, sessionIdOf, type Session } from '../domain/session.js';
import type { Claims, IdentityProvider, Tokens } from '../provider/identity-provider.js';
import { keepInStep } from './keep-in-step.js';
import { knowUser } from './know-user.js';
import { placePerson } from './place-person.js';
import { providerToSignInAt, type SignInDeps } from './session-deps.js';
import { sessionPrincipal, sessionSubject, type SignIn } from './session-principal.js';

/** A session and, this once, its secret. */
export interface OpenedSession {
  secret: string;
  expiresAt: Date;
  person: Person;
}

/**
 * Opens a session on the tokens that a sign-in gave, and tells `session.created` in the person's workspace; for a person
 * without one there is nobody to tell.
 */
export async function openSession(
  deps: SignInDeps,
  { tokens, client, requestId }: SignIn & { tokens: Tokens },
): Promise<OpenedSession> {
  const { provider, sealing } = providerToSignInAt(deps);
  const claims = await whoIs(provider, tokens);
  const user = await knowUser(deps, provider, { claims, accessToken: tokens.accessToken });
  await keepInStep(deps, { user, credential: tokens.accessToken, workspaceId: '' });
  const now = deps.now();
  const secret = newSessionSecret();
  const id = sessionIdOf(secret);
  const given = {
    accessToken: sealing.seal(tokens.accessToken, id),
    refreshToken: tokens.refreshToken ? sealing.seal(tokens.refreshToken, id) : null,
    accessExpiresAt: tokens.expiresAt,
  };
  const expiresAt = sessionEnd(given, now);
  const times = { refreshedAt: now, createdAt: now, lastSeenAt: now, expiresAt };
  const person = await placePerson(deps, { user, credential: 'session', expiresAt, workspaceId: '' });
  await keep(
    deps,
    { _id: id, userId: user._id, ...client, ...given, version: 0, refreshLock: null, ...times },
    person,
    {
      client,
      requestId,
    },
  );
  return { secret, expiresAt, person };
}

/** Whom the tokens name: the ID token is about the person, the access token may say more of them. */
async function whoIs(provider: IdentityProvider, { person, accessToken }: Tokens): Promise<Claims> {
  if (person?.email) return person;
  const said = await provider.verify(accessToken).catch((error: unknown) => {
    // Not every provider's access tokens are for our eyes; then the ID token must do.
    if (person && faultCode(error) === 'UNAUTHENTICATED') return null;
    throw error;
  });
  if (!person || said?.subject === person.subject) {
    const { issuer, subject, email, emailVerified, name } = said!;
    return { issuer, subject, email, emailVerified, name: name ?? person?.name ?? null };
  }
  return person;
}

async function keep(
  { sessions, transact }: SignInDeps,
  session: Session,
  person: Person,
  signIn: SignIn,
): Promise<void> {
  const by = sessionPrincipal(person, signIn);
  await transact(by, async (tx) => {
    await sessions.insert(session, tx);
    if (by) tx.emit({ type: 'session.created', ...sessionSubject(person) });
  });
}
