import { fail, faultCode, withTimeout } from '@tautan/kit';
import type { AuthenticatedUser } from '../domain/authenticated-user.js';
import {
  isAccessEnding,
  isSessionSecret,
  shouldRecordUse,
  sessionEnd,
  sessionIdOf,
  type Session,
} from '../domain/session.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { syncIfStale } from '../steps/sync-if-stale.js';
import { findOrCreateUser } from '../steps/find-or-create-user.js';
import { withCurrentWorkspace } from '../steps/current-workspace.js';
import { refreshTokens, sessionEnded } from '../steps/refresh-tokens.js';
import { credentialProvider, type SessionDeps } from '../../session-deps.js';

type Deps = ProviderDeps & SessionDeps;
type Authenticated = Omit<AuthenticatedUser, 'current'>;

/** Maximum time that a response waits for the provider to confirm a session. Below the deadline of an RPC. */
const CONFIRM_MS = 1_000;

/**
 * Returns the user whom a session secret or an access token belongs to, and their current workspace (see
 * withCurrentWorkspace). Throws UNAUTHENTICATED for an invalid credential or an ended session, TOKEN_EXPIRED for an
 * expired access token, FORBIDDEN for a requested workspace that the user does not belong to, and UPSTREAM_UNAVAILABLE
 * if a token cannot be verified because the provider does not respond.
 */
export async function authenticateUser(
  deps: Deps,
  { credential, workspaceId }: { credential: string; workspaceId: string },
): Promise<AuthenticatedUser> {
  const authenticated = isSessionSecret(credential)
    ? await bySession(deps, credential)
    : await byToken(deps, credential);
  await syncIfStale(deps, { user: authenticated.user, credential, workspaceId });
  return withCurrentWorkspace(deps, { ...authenticated, workspaceId });
}

async function bySession(deps: Deps, secret: string): Promise<Authenticated> {
  credentialProvider(deps);
  const now = deps.now();
  const found = await deps.sessions.find(sessionIdOf(secret));
  const session = found && found.expiresAt > now ? await confirmed(deps, found, now) : null;
  const user = session && (await deps.users.find(session.userId));
  if (!session || !user) throw sessionEnded();
  if (!shouldRecordUse(session, now)) return { user, credentialKind: 'session', expiresAt: session.expiresAt };
  const expiresAt = sessionEnd(session, now);
  deps.background.run(`use of ${session._id}`, () => deps.sessions.recordUse(session._id, now, expiresAt));
  return { user, credentialKind: 'session', expiresAt };
}

/**
 * Refreshes the tokens of a session whose access token has expired or is about to expire, so that the session ends when
 * the user's account or their sign-in at the provider ends. Returns null if the session has ended. If the provider does
 * not respond or limits requests, the session continues.
 */
async function confirmed(deps: Deps, session: Session, now: Date): Promise<Session | null> {
  if (!session.refreshToken || !isAccessEnding(session, now)) return session;
  const refreshed = refreshTokens(deps, session).catch((error: unknown) => {
    const code = faultCode(error);
    if (code === 'UPSTREAM_UNAVAILABLE' || code === 'TOO_MANY_REQUESTS') return session;
    // Either the session has ended, or it still exists and this process lacks the key that encrypted its token.
    if (code === 'UNAUTHENTICATED') return deps.sessions.find(session._id);
    throw error;
  });
  return withTimeout(refreshed, CONFIRM_MS, () => session);
}

async function byToken(deps: Deps, token: string): Promise<Authenticated> {
  const { provider } = credentialProvider(deps);
  // Never send our own keys or malformed secrets to the provider.
  if (token === '' || token.startsWith('tau_')) throw fail('UNAUTHENTICATED', 'The credential is invalid.');
  const { expiresAt, ...claims } = await provider.verify(token);
  return {
    user: await findOrCreateUser(deps, provider, { claims, accessToken: token }),
    credentialKind: 'token',
    expiresAt,
  };
}
