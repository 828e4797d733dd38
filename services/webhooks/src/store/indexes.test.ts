import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import {
  callEveryMethod,
  recordQueries,
  startDatabase,
  unshardableIndexes,
  type StoreCalls,
  type TestDatabase,
} from '@tautan/kit/testing';
import { defaultPlans } from '@tautan/proto';
import type { ClientSession } from 'mongoose';
import { deliveryOf } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import { anEvent } from '../testing/service.js';
import { createStore } from './index.js';
import { createModels, prepareCollections, type Models } from './models.js';
import { broadcastQueries } from './sharding.js';
import { createCounters } from './usage.js';

let database: TestDatabase<Models>;
let models: Models;
beforeAll(async () => {
  database = await startDatabase(createModels, (each) => prepareCollections(each, 30));
  models = database.models;
});
afterAll(() => database.stop());

const [now, workspaceId, id, url, owner] = [
  new Date(),
  newId('ws'),
  newId('whe'),
  'https://hooks.example.com',
  'replica',
];
const endpoint: Endpoint = {
  _id: id,
  workspaceId,
  url,
  events: ['*'],
  active: true,
  disabledReason: null,
  secrets: [],
  createdAt: now,
  updatedAt: now,
};
const delivery = deliveryOf(anEvent(workspaceId), endpoint, now);

/** Returns sample calls of every method of the stores, with the main variations of its queries. */
function calls(session: ClientSession): StoreCalls[] {
  const { endpoints, deliveries, queues, replicas } = createStore(models);
  const attempt = { n: 1, at: now, durationMs: 1, statusCode: 200, error: null, responseSnippet: null };
  const state = { attempt, status: 'succeeded', attempts: 1, nextAttemptAt: null, completedAt: now } as const;
  const filters = [
    {},
    { status: 'pending' as const },
    { type: 'tag.created' },
    { status: 'pending' as const, type: 'tag.created' },
    { endpointId: id },
  ].map((each) => ({ status: undefined, type: undefined, endpointId: undefined, workspaceId, ...each }));
  const counters = createCounters(models);
  const key = { workspaceId, limit: 'webhookEndpoints', at: now } as const;
  return [
    {
      store: endpoints,
      methods: {
        insert: () => [endpoints.insert([endpoint], session)],
        existingUrls: () => [endpoints.existingUrls(workspaceId, [url])],
        byId: () => [endpoints.byId(id)],
        byIds: () => [endpoints.byIds([id])],
        list: () => [endpoints.list(workspaceId)],
        subscriptions: () => [endpoints.subscriptions([workspaceId])],
        update: () => [endpoints.update(id, { active: true }, session)],
        remove: () => [endpoints.remove(newId('whe'), session)],
      },
    },
    {
      store: queues,
      methods: {
        insert: () => [queues.insert([id], session)],
        markDue: () => [queues.markDue([newId('whe')], now)],
        restart: () => [queues.restart(id, now, session)],
        clearResumption: () => [queues.clearResumption(newId('whe'), owner, 'r')],
        existing: () => [queues.existing([id])],
        isAnyDue: () => [queues.isAnyDue(now)],
        nextDueAt: () => [queues.nextDueAt()],
        isAnyOwned: () => [queues.isAnyOwned()],
        claimable: () => [queues.claimable(false, now, 5)],
        claim: () => [queues.claim([newId('whe')], owner)],
        ownedBy: () => [queues.ownedBy(owner)],
        owners: () => [queues.owners()],
        recheck: () => [queues.recheck(now)],
        versionsOf: () => [queues.versionsOf([id], owner)],
        release: () => [queues.release([{ id: newId('whe'), wakeVersion: 1, dueAt: now }], owner)],
        releaseAll: () => [queues.releaseAll([owner], now)],
        failingSince: () => [queues.failingSince(newId('whe'))],
        recordFailing: () => [queues.recordFailing(newId('whe'), owner, now)],
        remove: () => [queues.remove(newId('whe'), owner, 1)],
        lag: () => [queues.lag(now)],
      },
    },
    {
      store: replicas,
      methods: {
        register: () => [replicas.register(owner, 'host:50051')],
        advance: () => [replicas.advance(owner)],
        beats: () => [replicas.beats()],
        remove: () => [replicas.remove('other'), replicas.remove('other', 1)],
      },
    },
    {
      store: deliveries,
      methods: {
        insertNew: () => [deliveries.insertNew([delivery])],
        byId: () => [deliveries.byId(delivery._id)],
        page: () =>
          filters.flatMap((filter) => [undefined, newId('whd')].map((after) => deliveries.page(filter, after, 5))),
        due: () => [deliveries.due([id], now, 5)],
        makeImmediateAttemptsDue: () => [deliveries.makeImmediateAttemptsDue(id, now)],
        makeAllDue: () => [deliveries.makeAllDue(id, now)],
        nextAttemptAt: () => [deliveries.nextAttemptAt(id)],
        record: () => [deliveries.record([{ id: newId('whd'), endpointId: id, state }])],
        reopen: () => [
          deliveries.reopen(
            { id: newId('whd'), endpointId: id },
            { operationId: null, traceparent: undefined },
            now,
            session,
          ),
        ],
        abandon: () => [deliveries.abandon([newId('whe')], now)],
        pendingCount: () => [deliveries.pendingCount(id, 5)],
        depth: () => [deliveries.depth(5)],
      },
    },
    {
      store: counters,
      methods: {
        reserve: () => [counters.reserve(session, { ...key, wanted: 1, max: 5 })],
        reserveOne: () => [],
        assertRoom: () => [counters.assertRoom(defaultPlans, { ...key, limit: 'webhookEndpoints', plan: 'FREE' })],
        release: () => [counters.release(session, { ...key, count: 1 })],
        read: () => [counters.read(newId('ws'), now)],
        drift: () => [counters.drift({ workspaceId, limit: 'webhookEndpoints' })],
        ids: () => [counters.ids({ after: 'x', workspaceId, limit: 5 })],
      },
    },
  ];
}

test('every query of every store uses an index, and only those in `broadcastQueries` lack the shard key', async () => {
  const readQueries = recordQueries(database.connection);
  await inTransaction(database.connection, 20_000, (session) => callEveryMethod(calls(session)));
  const found = await readQueries();
  expect(found.collections).toEqual(new Set(['endpoints', 'deliveries', 'queues', 'replicas', 'usage_counters']));
  expect(found.scanning).toEqual([]);
  expect(found.broadcast).toEqual(new Set(Object.keys(broadcastQueries)));
  expect(unshardableIndexes(models)).toEqual([]);
});
