import { expect, test } from '@jest/globals';
import type { Principal, Sealing } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { newSessionSecret, sessionIdOf, type Session } from '../domain/session.js';
import type { SignInDeps } from '../../session-deps.js';
import { revokeOtherSessions } from './revoke-other-sessions.js';

const now = new Date('2030-01-01T00:00:00Z');
const by = { id: 'usr_1', ip: null, userAgent: null, requestId: 'req_1' } as Principal;
/** A credential that belongs to no session, so that all sessions are ended. */
const accessToken = 'a.b.c';
const aSession = (_id: string): Session => ({
  ...{ _id, userId: by.id, version: 0, refreshLock: null },
  ...{ accessToken: Buffer.from('access'), refreshToken: Buffer.from(_id) },
  ...{ accessExpiresAt: now, refreshedAt: now, createdAt: now, lastSeenAt: now, expiresAt: now },
});

/** Returns dependencies for a user with these sessions and a workspace, and the state that the dependencies change. */
function fixtureOf(sessions: Session[], revoke: (token: string) => Promise<void>) {
  const stored = new Map(sessions.map((session) => [session._id, session]));
  const events: string[] = [];
  const recorded = { transactions: 0, rechecked: [] as unknown[] };
  const running: Promise<void>[] = [];
  const takeAll = async (ids: string[]): Promise<Session[]> =>
    ids.flatMap((id) => {
      const found = stored.get(id);
      stored.delete(id);
      return found ?? [];
    });
  const tx = { emit: ({ type }: { type: string }) => void events.push(type) } as unknown as Transaction;
  const deps = {
    sessions: { listOf: async () => [...stored.values()], takeAll },
    users: { find: async () => ({ _id: by.id, name: 'Ayu', email: 'ayu@example.com', lastWorkspaceId: null }) },
    members: { membershipsOf: async () => [{ workspaceId: 'ws_1', role: 'owner' }] },
    workspaces: { find: async () => ({ _id: 'ws_1', plan: 'PRO' }) },
    provider: { revoke },
    sealing: { open: (sealed: Buffer) => sealed.toString() } as unknown as Sealing,
    background: { run: (_name: string, work: () => Promise<void>) => void running.push(work()) },
    recheckCredentials: (what: unknown) => void recorded.rechecked.push(what),
    transact: (_by: unknown, work: (tx: Transaction) => Promise<unknown>) => {
      recorded.transactions += 1;
      return work(tx);
    },
    now: () => now,
  } as unknown as SignInDeps;
  return { deps, stored, events, recorded, running };
}

test('ends a thousand sessions in one transaction, and keeps the current session', async () => {
  const secret = newSessionSecret();
  const current = aSession(sessionIdOf(secret));
  const others = Array.from({ length: 1_000 }, (_, n) => aSession(`s${n}`));
  const { deps, stored, events, recorded } = fixtureOf([...others, current], async () => {});
  expect(await revokeOtherSessions(deps, by, { credential: secret })).toBe(1_000);
  expect([...stored.values()]).toEqual([current]);
  expect(events).toEqual(Array(1_000).fill('session.ended'));
  expect(recorded).toEqual({ transactions: 1, rechecked: [{ userIds: [by.id] }] });
});

test('ends more than a thousand sessions in several transactions', async () => {
  const { deps, stored, recorded } = fixtureOf(
    Array.from({ length: 1_001 }, (_, n) => aSession(`s${n}`)),
    async () => {},
  );
  expect(await revokeOtherSessions(deps, by, { credential: accessToken })).toBe(1_001);
  expect([stored.size, recorded.transactions]).toEqual([0, 2]);
});

test('revokes every refresh token with at most eight concurrent calls, even if some calls fail', async () => {
  const revoked: string[] = [];
  let [calls, maxCalls] = [0, 0];
  const revoke = async (token: string): Promise<void> => {
    calls += 1;
    maxCalls = Math.max(maxCalls, calls);
    await Promise.resolve();
    calls -= 1;
    revoked.push(token);
    if (token === 's3') throw new Error('refused');
  };
  const sessions = Array.from({ length: 50 }, (_, n) => aSession(`s${n}`));
  const { deps, running } = fixtureOf(sessions, revoke);
  await revokeOtherSessions(deps, by, { credential: accessToken });
  await expect(Promise.all(running)).rejects.toThrow('refused');
  expect(revoked.sort()).toEqual(sessions.map(({ _id }) => _id).sort());
  expect(maxCalls).toBe(8);
});

test('opens no transaction if the user has no other session', async () => {
  const { deps, recorded } = fixtureOf([], async () => {});
  expect(await revokeOtherSessions(deps, by, { credential: accessToken })).toBe(0);
  expect(recorded.transactions).toBe(0);
});
