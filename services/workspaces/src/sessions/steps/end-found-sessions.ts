import type { Transaction } from '@tautan/kit/mongo';
import type { Session } from '../domain/session.js';
import type { IdentityProvider } from '../../provider/identity-provider.js';
import type { ListedSession } from '../store/sessions.js';
import { withCurrentWorkspace } from './current-workspace.js';
import type { SignInDeps } from '../../session-deps.js';
import { sessionEnding, sessionPrincipal, type RequestOrigin } from './session-principal.js';

/** Maximum number of sessions that end in one transaction. */
const MAX_PER_TRANSACTION = 1_000;
/** Maximum number of concurrent calls to the provider. */
const MAX_REVOCATIONS = 8;

/**
 * Ends sessions of one user that the caller has already read from the database. The end takes effect on every gateway
 * immediately; the refresh tokens are revoked at the provider in the background. Returns the number of ended sessions,
 * without those that another request ended first.
 */
export async function endFoundSessions(
  deps: SignInDeps,
  sessions: ListedSession[],
  origin: RequestOrigin,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < sessions.length; start += MAX_PER_TRANSACTION) {
    const ended = await takeSessions(deps, sessions.slice(start, start + MAX_PER_TRANSACTION), origin);
    count += ended.length;
    const [first] = ended;
    if (!first) continue;
    deps.recheckCredentials({ userIds: [first.userId] });
    const { provider } = deps;
    const tokens = refreshTokensOf(deps, ended);
    if (provider && tokens.length > 0) deps.background.run(`end of ${first._id}`, () => revokeAll(provider, tokens));
  }
  return count;
}

/**
 * Removes sessions. If the user has a current workspace, emits an event `session.ended` there for each of them. Returns
 * the last state of the sessions, without those that another request ended.
 */
async function takeSessions(deps: SignInDeps, sessions: ListedSession[], origin: RequestOrigin): Promise<Session[]> {
  const { userId, expiresAt } = sessions[0]!;
  const user = await deps.users.find(userId);
  const authenticated = user && (await withCurrentWorkspace(deps, { user, credentialKind: 'session', expiresAt }));
  const by = authenticated && sessionPrincipal(authenticated, origin);
  const ids = sessions.map(({ _id }) => _id);
  return deps.transact(by, async (tx: Transaction) => {
    const ended = await deps.sessions.takeAll(ids, tx);
    if (by) for (let n = 0; n < ended.length; n += 1) tx.emit(sessionEnding(authenticated, 'signed_out'));
    return ended;
  });
}

const refreshTokensOf = ({ sealing }: SignInDeps, sessions: Session[]): string[] =>
  sessions.flatMap(({ _id, refreshToken }) => (refreshToken && sealing?.open(refreshToken, _id)) || []);

/**
 * Revokes refresh tokens, several concurrently. Once all calls have ended, rejects with one of the failures, if any.
 */
async function revokeAll(provider: IdentityProvider, tokens: string[]): Promise<void> {
  const failures: unknown[] = [];
  const remaining = tokens.values();
  const revokeRemaining = async (): Promise<void> => {
    for (const token of remaining) {
      await provider.revoke(token).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: MAX_REVOCATIONS }, revokeRemaining));
  if (failures.length > 0) throw failures[0];
}
