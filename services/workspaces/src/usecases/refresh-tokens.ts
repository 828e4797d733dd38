import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, faultCode, LeaseWatch, type Fault } from '@tautan/kit';
import { isJustRefreshed, REFRESH_LEASE_MS, sessionEnd, type Session } from '../domain/session.js';
import type { Tokens } from '../provider/identity-provider.js';
import { placePerson } from './place-person.js';
import { providerOfPeople, type SessionDeps } from './session-deps.js';
import { sessionEnding } from './session-principal.js';

/** Longest that a request waits for a refresh; the refresh goes on without it. */
const WAIT_MS = 3_000;
/** How long, and with what pauses, a refresh by another process is awaited. Longer than a lock lasts after its holder died. */
const LOOK_FOR_MS = REFRESH_LEASE_MS + 2_000;
const pauseMs = (): number => 25 + Math.random() * 25;
/** How long, and with what pauses, it is tried to keep new tokens. */
const KEEP_WITHIN_MS = 30_000;
const KEEP_PAUSE_MS = 200;

export const sessionEnded = (): Fault => fail('UNAUTHENTICATED', 'The session has ended; sign in again.');

/**
 * Trades a session's refresh token for new tokens: once for each pair of tokens, however many processes want to, because a
 * provider that rotates refresh tokens takes a second use for theft and ends the whole family (RFC 9700, 4.14.2). One takes
 * the lock and asks; the others wait for what it gets. Rejects with UNAUTHENTICATED when the provider refuses the token,
 * which ends the session, with UPSTREAM_UNAVAILABLE when it does not answer in time; an answer that comes late is kept.
 */
export function refreshTokens(deps: SessionDeps, seen: Session): Promise<Session> {
  const { refreshing, background } = deps;
  const running = refreshing.get(seen._id);
  if (running) return inTime(running);
  // Who comes meanwhile in this process waits here, not at the database.
  const mine = refreshOnce(deps, seen).finally(() => refreshing.delete(seen._id));
  refreshing.set(seen._id, mine);
  // What fails is told to whoever waits; here it is only seen to its end.
  background.run(`refresh of ${seen._id}`, () => mine.then(nothing, nothing));
  return inTime(mine);
}

const nothing = (): void => {};
const notNow = (): Fault =>
  fail('UPSTREAM_UNAVAILABLE', 'The identity provider does not renew the session just now; try again.');

async function inTime(refresh: Promise<Session>): Promise<Session> {
  const enough = new AbortController();
  const late = pause(WAIT_MS, undefined, { signal: enough.signal }).then(() => Promise.reject(notNow()));
  try {
    return await Promise.race([refresh, late]);
  } finally {
    enough.abort();
    late.catch(nothing);
  }
}

async function refreshOnce(deps: SessionDeps, seen: Session): Promise<Session> {
  const by = randomUUID();
  // The lock is taken for one call of the provider, so whatever has to be learnt of it before is learnt without.
  await providerOfPeople(deps).provider.configuration();
  const watch = new LeaseWatch(REFRESH_LEASE_MS);
  const giveUpAt = performance.now() + LOOK_FOR_MS;
  let session: Session | null = seen;
  while (performance.now() < giveUpAt) {
    if (!session) throw sessionEnded();
    if (session.version !== seen.version || isJustRefreshed(session, deps.now())) return session;
    if (isFree(session, watch) && (await deps.sessions.claimRefresh(session, by))) {
      return refreshLocked(deps, session, by);
    }
    await pause(pauseMs());
    session = await deps.sessions.find(seen._id);
  }
  throw notNow();
}

/** Whether nobody has the lock on the refresh token, or its holder has stopped renewing it. */
function isFree({ refreshLock: lock }: Session, watch: LeaseWatch): boolean {
  return !lock || watch.stale(new Map([[lock.by, lock.beat]])).size > 0;
}

/** Refreshes under a lock, and renews it meanwhile. */
async function refreshLocked(deps: SessionDeps, session: Session, by: string): Promise<Session> {
  const renew = (): void => void deps.sessions.renewRefresh(session, by).catch(nothing);
  const renewal = setInterval(renew, REFRESH_LEASE_MS / 10);
  try {
    return await refreshClaimed(deps, session, by);
  } finally {
    clearInterval(renewal);
  }
}

async function refreshClaimed(deps: SessionDeps, session: Session, by: string): Promise<Session> {
  const { provider, sealing } = providerOfPeople(deps);
  const refreshToken = session.refreshToken && sealing.open(session.refreshToken, session._id);
  if (!refreshToken) {
    // Sealed under a key that this process does not have; another, configured sooner or later, may: the session stays.
    await deps.sessions.releaseRefresh(session, by);
    throw sessionEnded();
  }
  const tokens = await provider.refresh(refreshToken).catch(async (error: unknown) => {
    if (faultCode(error) === 'UNAUTHENTICATED') return null;
    await deps.sessions.releaseRefresh(session, by);
    throw error;
  });
  return tokens ? keepTokens(deps, session, tokens) : endRefused(deps, session);
}

/**
 * Ends a session whose refresh token is refused, unless another process has put a newer one in its place. Emits `session.ended` in
 * the workspace that the user works in; a user without one has nobody to tell.
 */
async function endRefused(deps: SessionDeps, session: Session): Promise<Session> {
  const { userId, expiresAt } = session;
  const user = await deps.users.find(userId);
  const person = user && (await placePerson(deps, { user, credential: 'session', expiresAt, workspaceId: '' }));
  const ended = await deps.transact(null, async (tx) => {
    if (!(await deps.sessions.end(session, tx))) return false;
    if (person?.place)
      tx.emit({ ...sessionEnding(person, 'refresh_refused'), workspaceId: person.place.workspace._id });
    return true;
  });
  if (ended) deps.dropCredentials({ userIds: [userId] });
  const renewed = await deps.sessions.find(session._id);
  if (renewed) return renewed;
  throw sessionEnded();
}

/**
 * Writes what the provider gave. A process that dies between its answer and this write loses the new refresh token, and
 * with it the session: no order of the two can avoid that, so nothing stands between them, and a database that is away is
 * tried again for a while. The write is for this version of the tokens, so that a late one never undoes another's.
 */
async function keepTokens(deps: SessionDeps, session: Session, tokens: Tokens): Promise<Session> {
  const sealing = providerOfPeople(deps).sealing;
  const now = deps.now();
  const renewed = {
    accessToken: sealing.seal(tokens.accessToken, session._id),
    // A provider that does not rotate gives none: the one before goes on.
    refreshToken: tokens.refreshToken ? sealing.seal(tokens.refreshToken, session._id) : session.refreshToken,
    accessExpiresAt: tokens.expiresAt,
    refreshedAt: now,
    lastSeenAt: now,
  };
  const kept = { ...renewed, expiresAt: sessionEnd(renewed, now) };
  const end = Date.now() + KEEP_WITHIN_MS;
  for (;;) {
    try {
      if (await deps.sessions.renew(session, kept)) break;
      // Ended meanwhile; or an attempt whose answer was lost did keep them.
      const found = await deps.sessions.find(session._id);
      if (!found) throw sessionEnded();
      return found;
    } catch (error) {
      if (faultCode(error) || Date.now() > end) throw error;
      await pause(KEEP_PAUSE_MS);
    }
  }
  return { ...session, ...kept, version: session.version + 1, refreshLock: null };
}
