import { randomUUID } from 'node:crypto';
import { fail, faultCode, LeaseWatch, sleep, withTimeout, type Fault } from '@tautan/kit';
import { isJustRefreshed, REFRESH_LEASE_MS, sessionEnd, type Session } from '../domain/session.js';
import type { Tokens } from '../../provider/identity-provider.js';
import { withCurrentWorkspace } from './current-workspace.js';
import { credentialProvider, type SessionDeps } from '../../session-deps.js';
import { sessionEnding } from './session-principal.js';

/** Maximum time that a request waits for a refresh. The refresh continues even if the request no longer waits. */
const WAIT_MS = 3_000;
/** Maximum time to wait for another process's refresh. Longer than the lease, so that a crashed process is noticed. */
const WAIT_FOR_OTHER_MS = REFRESH_LEASE_MS + 2_000;
/** Pause between reads of the session while another process refreshes it. */
const pauseMs = (): number => 25 + Math.random() * 25;
/** Maximum time to retry storing new tokens. */
const STORE_TIMEOUT_MS = 30_000;
/** Pause between these retries. */
const STORE_RETRY_MS = 200;

export const sessionEnded = (): Fault => fail('UNAUTHENTICATED', 'The session has ended. Sign in again.');

/**
 * Exchanges a session's refresh token for new tokens: once per pair of tokens across all processes, because a provider
 * that rotates refresh tokens treats a second use as theft and revokes the whole family (RFC 9700, 4.14.2). One process
 * acquires the lock and calls the provider; the others wait for its result. Rejects with UNAUTHENTICATED if the
 * provider rejects the token (this ends the session) or this process cannot decrypt it (this does not), with
 * TOO_MANY_REQUESTS if the provider limits requests, and with UPSTREAM_UNAVAILABLE if it does not respond in time; a
 * late response is still stored.
 */
export function refreshTokens(deps: SessionDeps, session: Session): Promise<Session> {
  const { refreshing, background } = deps;
  const running = refreshing.get(session._id);
  if (running) return withTimeout(running, WAIT_MS, rejectPending);
  // Concurrent callers in this process share this refresh, so that they do not poll the database.
  const mine = refreshOnce(deps, session).finally(() => refreshing.delete(session._id));
  refreshing.set(session._id, mine);
  // A failure is ignored here, because the callers handle it. The background job only makes a shutdown wait until the
  // refresh ends.
  background.run(`refresh of ${session._id}`, () => mine.then(nothing, nothing));
  return withTimeout(mine, WAIT_MS, rejectPending);
}

const nothing = (): void => {};
const refreshPending = (): Fault =>
  fail('UPSTREAM_UNAVAILABLE', 'The identity provider has not refreshed the session yet. Try again.');
const rejectPending = (): never => {
  throw refreshPending();
};

async function refreshOnce(deps: SessionDeps, initial: Session): Promise<Session> {
  const by = randomUUID();
  // Load the provider's configuration first, so that the lock covers only the call that refreshes.
  await credentialProvider(deps).provider.configuration();
  const watch = new LeaseWatch(REFRESH_LEASE_MS);
  const deadline = performance.now() + WAIT_FOR_OTHER_MS;
  let session: Session | null = initial;
  while (performance.now() < deadline) {
    if (!session) throw sessionEnded();
    if (session.version !== initial.version || isJustRefreshed(session, deps.now())) return session;
    if (isFree(session, watch) && (await deps.sessions.claimRefresh(session, by))) {
      return refreshLocked(deps, session, by);
    }
    await sleep(pauseMs());
    session = await deps.sessions.find(initial._id);
  }
  throw refreshPending();
}

/** Returns whether the lock on the refresh token is free, or its holder has stopped renewing it. */
function isFree({ refreshLock: lock }: Session, watch: LeaseWatch): boolean {
  return !lock || watch.stale(new Map([[lock.by, lock.beat]])).size > 0;
}

/** Refreshes the tokens while holding the lock, which it renews until the refresh ends. */
async function refreshLocked(deps: SessionDeps, session: Session, by: string): Promise<Session> {
  const renew = (): void => void deps.sessions.renewRefresh(session, by).catch(nothing);
  const renewal = setInterval(renew, REFRESH_LEASE_MS / 10);
  try {
    return await exchangeRefreshToken(deps, session, by);
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Calls the provider while the lock is held. Stores the new tokens, or ends the session if the provider rejects the
 * refresh token.
 */
async function exchangeRefreshToken(deps: SessionDeps, session: Session, by: string): Promise<Session> {
  const { provider, sealing } = credentialProvider(deps);
  const refreshToken = session.refreshToken && sealing.open(session.refreshToken, session._id);
  if (!refreshToken) {
    // The token is encrypted with a key that this process lacks. The caller gets the same error as for an ended session,
    // but the session is kept, because another process may have the key.
    await deps.sessions.releaseRefresh(session, by);
    throw sessionEnded();
  }
  const tokens = await provider.refresh(refreshToken).catch(async (error: unknown) => {
    if (faultCode(error) === 'UNAUTHENTICATED') return null;
    await deps.sessions.releaseRefresh(session, by);
    throw error;
  });
  return tokens ? storeTokens(deps, session, tokens) : endRefused(deps, session);
}

/**
 * Ends a session whose refresh token was rejected, unless another process has replaced the token. Emits `session.ended`
 * in the user's current workspace, if there is one.
 */
async function endRefused(deps: SessionDeps, session: Session): Promise<Session> {
  const { userId, expiresAt } = session;
  const user = await deps.users.find(userId);
  const authenticated = user && (await withCurrentWorkspace(deps, { user, credentialKind: 'session', expiresAt }));
  const ended = await deps.transact(null, async (tx) => {
    if (!(await deps.sessions.end(session, tx))) return false;
    if (authenticated?.current)
      tx.emit({ ...sessionEnding(authenticated, 'refresh_refused'), workspaceId: authenticated.current.workspace._id });
    return true;
  });
  if (ended) deps.recheckCredentials({ userIds: [userId] });
  const renewed = await deps.sessions.find(session._id);
  if (renewed) return renewed;
  throw sessionEnded();
}

/**
 * Stores the new tokens. A crash between the provider's response and this write loses the new refresh token, and with
 * it the session. To keep that interval short, nothing else happens in between, and the write is retried while the
 * database is unavailable. The write succeeds only while the exchanged tokens are still stored, so that a late write
 * never replaces newer tokens.
 */
async function storeTokens(deps: SessionDeps, session: Session, tokens: Tokens): Promise<Session> {
  const sealing = credentialProvider(deps).sealing;
  const now = deps.now();
  const renewed = {
    accessToken: sealing.seal(tokens.accessToken, session._id),
    // A provider that does not rotate refresh tokens issues none; the previous one stays valid.
    refreshToken: tokens.refreshToken ? sealing.seal(tokens.refreshToken, session._id) : session.refreshToken,
    accessExpiresAt: tokens.expiresAt,
    refreshedAt: now,
    lastSeenAt: now,
  };
  const refreshed = { ...renewed, expiresAt: sessionEnd(renewed, now) };
  const end = performance.now() + STORE_TIMEOUT_MS;
  for (;;) {
    try {
      if (await deps.sessions.renew(session, refreshed)) break;
      // The session has ended, or an earlier attempt, whose response was lost, has stored the tokens.
      const found = await deps.sessions.find(session._id);
      if (!found) throw sessionEnded();
      return found;
    } catch (error) {
      if (faultCode(error) || performance.now() > end) throw error;
      await sleep(STORE_RETRY_MS);
    }
  }
  return { ...session, ...refreshed, version: session.version + 1, refreshLock: null };
}
