import { faultCode } from '@tautan/kit';
import type { Person } from '../domain/person.js';
import { newSessionSecret, sessionEnd, sessionIdOf, type Session } from '../domain/session.js';
import type { Claims, IdentityProvider, Tokens } from '../../provider/identity-provider.js';
import { syncIfStale } from './sync-if-stale.js';
import { findOrCreateUser } from './find-or-create-user.js';
import { placePerson } from './place-person.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';
import { sessionPrincipal, sessionSubject, type SignIn } from './session-principal.js';

/** A session with its secret, which is returned only once. */
export interface OpenedSession {
  secret: string;
  expiresAt: Date;
  person: Person;
}

/** Opens a session with the tokens of a sign-in, and emits `session.created` in the user's workspace, if there is one. */
export async function openSession(
  deps: SignInDeps,
  { tokens, client, requestId }: SignIn & { tokens: Tokens },
): Promise<OpenedSession> {
  const { provider, sealing } = signInProvider(deps);
  const claims = await identify(provider, tokens);
  const user = await findOrCreateUser(deps, provider, { claims, accessToken: tokens.accessToken });
  await syncIfStale(deps, { user, credential: tokens.accessToken, workspaceId: '' });
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
  await storeSession(
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

/** Returns the user of the tokens: the ID token identifies them, the access token may contain more claims. */
async function identify(provider: IdentityProvider, { person, accessToken }: Tokens): Promise<Claims> {
  if (person?.email) return person;
  const said = await provider.verify(accessToken).catch((error: unknown) => {
    // Some providers' access tokens cannot be read by clients; then use only the ID token.
    if (person && faultCode(error) === 'UNAUTHENTICATED') return null;
    throw error;
  });
  if (!person || said?.subject === person.subject) {
    const { issuer, subject, email, emailVerified, name } = said!;
    return { issuer, subject, email, emailVerified, name: name ?? person?.name ?? null };
  }
  return person;
}

async function storeSession(
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
