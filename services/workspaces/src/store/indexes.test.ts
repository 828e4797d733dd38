import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { inTransaction, createCollections, type Transaction } from '@tautan/kit/mongo';
import {
  callEveryMethod,
  recordQueries,
  unshardableIndexes,
  startDatabase,
  type StoreCalls,
  type TestDatabase,
} from '@tautan/kit/testing';
import { defaultPlans } from '@tautan/proto';
import type { ClientSession } from 'mongoose';
import type { ApiKey } from '../api-keys/domain/api-key.js';
import type { AuditEntry, AuditFilter } from '../audit/domain/audit.js';
import type { IdempotentRequest } from '../requests/domain/idempotency.js';
import { newReservation } from '../members/domain/invitation.js';
import type { Member } from '../members/domain/member.js';
import type { Session } from '../sessions/domain/session.js';
import type { User } from '../sessions/domain/user.js';
import { newWorkspace } from '../workspaces/domain/workspace.js';
import { apiKeyStore } from '../api-keys/store/api-keys.js';
import { appliedEventStore } from './applied-events.js';
import { auditStore } from '../audit/store/audit.js';
import { idempotentRequestStore } from '../requests/store/idempotent-requests.js';
import { invitationMailStore } from '../members/store/invitation-mails.js';
import { invitationReservationStore } from '../members/store/invitation-reservations.js';
import { loginStore } from '../sessions/store/logins.js';
import { memberCounters, memberUsage } from './member-usage.js';
import { memberStore } from '../members/store/members.js';
import { createModels, type Models } from './models.js';
import { sessionStore } from '../sessions/store/sessions.js';
import { userStore } from '../sessions/store/users.js';
import { workspaceStore } from '../workspaces/store/workspaces.js';

let database: TestDatabase<Models>;
let models: Models;
beforeAll(async () => {
  database = await startDatabase(createModels, createCollections);
  models = database.models;
});
afterAll(() => database.stop());

const [now, id, workspaceId, userId, email] = [new Date(), newId('key'), newId('ws'), newId('usr'), 'a@example.com'];
const zeros = Buffer.alloc(32);

const apiKey: ApiKey = {
  _id: id,
  workspaceId,
  label: 'CI',
  prefix: 'tau_live',
  hash: zeros,
  createdBy: { type: 'user', id: userId },
  createdAt: now,
  lastUsedAt: null,
  revokedAt: null,
};
const entry: AuditEntry = {
  _id: newId('aud'),
  workspaceId,
  seq: 1,
  action: 'tag.created',
  actor: { type: 'user', id: userId, name: 'Ayu' },
  target: { type: 'tag', id, label: 'x' },
  changes: {},
  ip: null,
  userAgent: null,
  requestId: null,
  createdAt: now,
  hash: zeros,
};
const request = (): IdempotentRequest => ({
  _id: newUlid(),
  state: 'running',
  operationId: newUlid(),
  fingerprint: zeros,
  answer: null,
  claim: newUlid(),
  beat: 0,
  holder: { process: newUlid(), instance: null },
  expireAt: new Date(Date.now() + 60_000),
});
const aMember = (): Member => ({
  _id: newId('mem'),
  workspaceId: newId('ws'),
  externalId: null,
  userId,
  email,
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: now,
  asOf: now,
  createdAt: now,
});
const session: Session = {
  _id: newUlid(),
  userId,
  accessToken: zeros,
  refreshToken: null,
  accessExpiresAt: now,
  version: 0,
  refreshedAt: now,
  refreshLock: null,
  createdAt: now,
  lastSeenAt: now,
  expiresAt: now,
};
const user: User = {
  _id: userId,
  issuer: 'i',
  subject: 's',
  email,
  emailVerified: true,
  name: 'Ayu',
  lastWorkspaceId: null,
  syncedAt: null,
  createdAt: now,
};

const partialFilters: Partial<AuditFilter>[] = [
  {},
  { action: 'tag.created' },
  { action: 'tag.' },
  { actor: userId },
  { actor: null },
  { target: id },
  { from: now, to: now },
];
const filters = partialFilters.map((each): AuditFilter => ({
  workspaceId,
  action: undefined,
  actor: undefined,
  target: undefined,
  from: undefined,
  to: undefined,
  ...each,
}));

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _each of all);
}

/** Returns calls of every method of the stores. Each method is called with every variation of its queries. */
function calls(clientSession: ClientSession): StoreCalls[] {
  // Store methods never emit events, so the session is enough.
  const tx = { session: clientSession } as Transaction;
  const [apiKeys, appliedEvents, audit] = [apiKeyStore(models), appliedEventStore(models), auditStore(models)];
  const [requests, invitations] = [idempotentRequestStore(models), invitationReservationStore(models)];
  const mails = invitationMailStore(models);
  const [logins, members, sessions] = [loginStore(models), memberStore(models), sessionStore(models)];
  const [users, workspaces] = [userStore(models), workspaceStore(models, 'FREE')];
  const counters = memberCounters(models, database.connection);
  const usage = memberUsage(models, counters);
  const key = { workspaceId, limit: 'members', at: now } as const;
  const reservation = newReservation({ workspaceId, email, operationId: undefined });
  const workspace = newWorkspace('FREE', { name: 'Kopi', asOf: now, createdAt: now });
  const { accessToken, refreshToken, accessExpiresAt, refreshedAt, lastSeenAt, expiresAt } = session;
  const tokens = { accessToken, refreshToken, accessExpiresAt, refreshedAt, lastSeenAt, expiresAt };
  return [
    {
      store: apiKeys,
      methods: {
        insert: () => [apiKeys.insert(apiKey, tx)],
        replaceSecret: () => [apiKeys.replaceSecret(apiKey, tx)],
        find: () => [apiKeys.find(id, tx)],
        findByHash: () => [apiKeys.findByHash(zeros)],
        ofWorkspace: () => [apiKeys.ofWorkspace(workspaceId)],
        count: () => [apiKeys.count(workspaceId, tx)],
        mintedBy: () => [apiKeys.mintedBy(userId, [workspaceId], tx)],
        revoke: () => [apiKeys.revoke(id, now, tx)],
        recordUse: () => [apiKeys.recordUse(newId('key'), now)],
      },
    },
    {
      store: appliedEvents,
      methods: {
        mark: () => [appliedEvents.mark([newId('evt')], now, tx)],
        unapplied: () => [appliedEvents.unapplied([newId('evt')], tx)],
      },
    },
    {
      store: audit,
      methods: {
        known: () => [audit.known([entry.workspaceId, newId('ws')], [entry._id], tx)],
        heads: () => [audit.heads([workspaceId], tx)],
        append: () => [audit.append([entry], [{ _id: entry.workspaceId, seq: entry.seq, hash: entry.hash }], tx)],
        page: () => filters.flatMap((filter) => [undefined, entry._id].map((before) => audit.page(filter, before, 5))),
        walk: () => [drain(audit.walk(workspaceId))],
      },
    },
    {
      store: requests,
      methods: {
        insert: () => [requests.insert(request())],
        find: () => [requests.find('x')],
        takeOver: () => [requests.takeOver(request(), newUlid(), request().holder)],
        deleteExpired: () => [requests.deleteExpired(request())],
        complete: () => [requests.complete('x', newUlid(), { status: 201, sealed: zeros }, now)],
        renew: () => [requests.renew([newUlid()])],
        beats: () => [requests.beats()],
        release: () => [requests.release('x', newUlid())],
        releaseStale: () => [requests.releaseStale(newUlid(), 1)],
        releasePredecessors: () => [requests.releasePredecessors('host:1', newUlid())],
      },
    },
    {
      store: invitations,
      methods: {
        insert: () => [invitations.insert(reservation, tx)],
        existing: () => [invitations.existing([reservation._id], tx)],
        takeOver: () => [invitations.takeOver(reservation, tx)],
        remove: () => [invitations.remove([reservation._id], tx)],
        attempts: () => [invitations.attempts()],
      },
    },
    {
      store: mails,
      methods: {
        record: () => [mails.record({ _id: newId('evt'), workspaceId, email, at: now })],
        count: () => [mails.count({ workspaceId, after: now }, 5), mails.count({ workspaceId, email, after: now }, 5)],
      },
    },
    {
      store: logins,
      methods: {
        insert: () => [
          logins.insert({ _id: newUlid(), attempt: zeros, browserHash: 'x', returnTo: '/', expiresAt: now }),
        ],
        take: () => [logins.take('x')],
      },
    },
    {
      store: members,
      methods: {
        membershipsOf: () => [members.membershipsOf(userId)],
        findMembership: () => [members.findMembership(workspaceId, userId)],
        find: () => [members.find(newId('mem'))],
        findByEmail: () => [members.findByEmail(workspaceId, email)],
        ofWorkspace: () => [members.ofWorkspace(workspaceId)],
        ofUser: () => [members.ofUser(userId, email, tx)],
        counts: () => [members.counts([workspaceId])],
        ownersOf: () => [members.ownersOf([workspaceId])],
        insert: () => [members.insert([aMember()], tx)],
        write: () => [members.write([aMember()], tx)],
        freeEmails: () => [members.freeEmails([newId('mem')], tx)],
        lock: () => [members.lock(workspaceId, userId, tx)],
        end: () => [members.end([aMember()], now, tx)],
        notEndedAfter: () => [members.notEndedAfter(now, [aMember()], tx)],
        countOwned: () => [members.countOwned(userId, tx)],
        countOf: () => [members.countOf(userId, tx)],
      },
    },
    {
      store: sessions,
      methods: {
        insert: () => [sessions.insert(session, tx)],
        find: () => [sessions.find('x')],
        takeAll: () => [sessions.takeAll(['x'], tx)],
        end: () => [sessions.end({ ...session, _id: 'x' }, tx)],
        endAllOf: () => [sessions.endAllOf(userId, tx)],
        listOf: () => [sessions.listOf(userId, now)],
        recordUse: () => [sessions.recordUse('x', now, now)],
        claimRefresh: () =>
          [null, { by: 'x', beat: 1 }].map((refreshLock) =>
            sessions.claimRefresh({ ...session, _id: 'x', refreshLock }, 'y'),
          ),
        renewRefresh: () => [sessions.renewRefresh({ ...session, _id: 'x' }, 'y')],
        releaseRefresh: () => [sessions.releaseRefresh({ ...session, _id: 'x' }, 'y')],
        renew: () => [sessions.renew({ ...session, _id: 'x' }, tokens)],
      },
    },
    {
      store: users,
      methods: {
        find: () => [users.find(userId)],
        findBySubject: () => [users.findBySubject('i', 's')],
        findByEmail: () => [users.findByEmail(email)],
        findBySubjects: () => [users.findBySubjects('i', ['s'])],
        insert: () => [users.insert(user)],
        updateProfile: () => [users.updateProfile(newId('usr'), user)],
        setLastWorkspace: () => [users.setLastWorkspace(newId('usr'), workspaceId, tx)],
        clearLastWorkspace: () => [users.clearLastWorkspace(newId('usr'), workspaceId, tx)],
        setCreating: () => [users.setCreating(newId('usr'), [], tx)],
        recordSynced: () => [users.recordSynced(newId('usr'), now)],
      },
    },
    {
      store: workspaces,
      methods: {
        insert: () => [workspaces.insert([workspace], tx)],
        find: () => [workspaces.find(workspaceId)],
        findMany: () => [workspaces.findMany([workspaceId])],
        page: () => [workspaces.page('', 5), workspaces.page(workspaceId, 5)],
        findProvided: () => [workspaces.findProvided(['x'], tx)],
        findUnannounced: () => [workspaces.findUnannounced(5, tx)],
        writePlan: () => [workspaces.writePlan(workspace, tx)],
        rename: () => [workspaces.rename(newId('ws'), 'Teh', now, tx)],
        lock: () => [workspaces.lock(newId('ws'), tx)],
        addCounts: () => [workspaces.addCounts(new Map([[newId('ws'), { linkCount: 1 }]]), tx)],
      },
    },
    { store: usage, methods: { add: () => [usage.add(new Map([[workspaceId, 1]]), now, tx)] } },
    {
      store: counters,
      methods: {
        reserve: () => [counters.reserve(clientSession, { ...key, wanted: 1, max: 5 })],
        // Not called: its only queries are those of `reserve`.
        reserveOne: () => [],
        assertRoom: () => [counters.assertRoom(defaultPlans, { ...key, workspaceId: newId('ws'), plan: 'FREE' })],
        release: () => [counters.release(clientSession, { ...key, count: 1 })],
        read: () => [counters.read(newId('ws'), now)],
        drift: () => [counters.drift({ workspaceId: newId('ws'), limit: 'members' })],
        ids: () => [counters.ids({ after: 'x', workspaceId, limit: 5 }), counters.ids({ after: 'x', limit: 5 })],
      },
    },
  ];
}

test('every query of every store uses an index, also for sorting, and contains the shard key if its collection is sharded', async () => {
  const readQueries = recordQueries(database.connection);
  await inTransaction(database.connection, 20_000, (clientSession) => callEveryMethod(calls(clientSession)));
  const { collections, scanning, sorting, broadcast } = await readQueries();
  const { deadLetters, ...searchedModels } = models;
  expect(deadLetters.collection.name).toBe('dead_letters');
  expect(collections).toEqual(new Set(Object.values(searchedModels).map(({ collection }) => collection.name)));
  expect({ scanning, sorting }).toEqual({ scanning: [], sorting: [] });
  expect(broadcast).toEqual(new Set());
  expect(unshardableIndexes(models)).toEqual([]);
});
