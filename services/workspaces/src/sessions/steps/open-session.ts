import { faultCode } from '@tautan/kit';
import type { AuthenticatedUser } from '../domain/authenticated-user.js';
import { newSessionSecret, sessionEnd, sessionIdOf, type Session } from '../domain/session.js';
import type { Claims, IdentityProvider, Tokens } from '../../provider/identity-provider.js';
import { syncIfStale } from './sync-if-stale.js';
import { findOrCreateUser } from './find-or-create-user.js';
import { withCurrentWorkspace } from './current-workspace.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';
import { sessionPrincipal, sessionSubject, type RequestOrigin } from './session-principal.js';

/** A session with its secret, which is not stored. */
export interface OpenedSession {
  secret: string;
  expiresAt: Date;
  user: AuthenticatedUser;
}

/**
 * Opens a session with the tokens of a sign-in, and emits `session.created` in the user's workspace, if there is one.
 */
export async function openSession(
  deps: SignInDeps,
  { tokens, client, requestId }: RequestOrigin & { tokens: Tokens },
): Promise<OpenedSession> {
  const { provider, sealing } = signInProvider(deps);
  const claims = await identify(provider, tokens);
  const user = await findOrCreateUser(deps, provider, { claims, accessToken: tokens.accessToken });
  await syncIfStale(deps, { user, credential: tokens.accessToken, workspaceId: '' });
  const now = deps.now();
  const secret = newSessionSecret();
  const id = sessionIdOf(secret);
  const sealedTokens = {
    accessToken: sealing.seal(tokens.accessToken, id),
    refreshToken: tokens.refreshToken ? sealing.seal(tokens.refreshToken, id) : null,
    accessExpiresAt: tokens.expiresAt,
  };
  const expiresAt = sessionEnd(sealedTokens, now);
  const times = { refreshedAt: now, createdAt: now, lastSeenAt: now, expiresAt };
  const authenticated = await withCurrentWorkspace(deps, { user, credentialKind: 'session', expiresAt });
  await storeSession(
    deps,
    { _id: id, userId: user._id, ...client, ...sealedTokens, version: 0, refreshLock: null, ...times },
    authenticated,
    {
      client,
      requestId,
    },
  );
  return { secret, expiresAt, user: authenticated };
}

/** Returns the claims about the user. The ID token identifies the user; the access token may contain more claims. */
async function identify(provider: IdentityProvider, { claims, accessToken }: Tokens): Promise<Claims> {
  if (claims?.email) return claims;
  const tokenClaims = await provider.verify(accessToken).catch((error: unknown) => {
    // Some providers' access tokens cannot be read by clients; then use only the ID token.
    if (claims && faultCode(error) === 'UNAUTHENTICATED') return null;
    throw error;
  });
  if (!claims || tokenClaims?.subject === claims.subject) {
    const { email, emailVerified, name } = tokenClaims!;
    return {
      ...tokenClaims!,
      emailVerified: emailVerified ?? verificationOf(email, claims),
      name: name ?? claims?.name ?? null,
    };
  }
  return claims;
}

/** Returns whether the ID token says that the email is verified; null if it does not refer to this email. */
function verificationOf(email: string | null, idToken: Claims | null): boolean | null {
  if (!email || idToken?.standardEmail?.toLowerCase() !== email.toLowerCase()) return null;
  return idToken.emailVerified;
}

async function storeSession(
  { sessions, transact }: SignInDeps,
  session: Session,
  authenticated: AuthenticatedUser,
  origin: RequestOrigin,
): Promise<void> {
  const by = sessionPrincipal(authenticated, origin);
  await transact(by, async (tx) => {
    await sessions.insert(session, tx);
    if (by) tx.emit({ type: 'session.created', ...sessionSubject(authenticated) });
  });
}
