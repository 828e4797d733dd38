import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLog, newId, Sealing } from '@tautan/kit';
import { startDatabase, until, type TestDatabase } from '@tautan/kit/testing';
import type { Outcome } from '../domain/schedule.js';
import { newSecret, sealSecret } from '../domain/secrets.js';
import { createStore, type Store } from '../store/index.js';
import { createModels, prepareCollections, type Models } from '../store/models.js';
import { Deliverer, type DelivererOptions } from './deliverer.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 100;
const HEARTBEAT_MS = 500;
const LEASE_MS = 3_000;
/** How long a wake-up keeps a replica active. */
const ACTIVE_MS = 2_000;
/** Maximum time between two checks of an idle replica. */
const MAX_CHECK_MS = 5_000;

let database: TestDatabase<Models>;
let models: Models;
let store: Store;
beforeAll(async () => {
  database = await startDatabase(createModels, (each) => prepareCollections(each, 30));
  models = database.models;
  store = createStore(models);
});
afterAll(() => database.stop());

/** An attempt that the receiver has not responded to yet. */
interface Attempt {
  by: number;
  url: string;
  respond: (statusCode?: number) => void;
}

/** How far a test has set the wall clock forward, in milliseconds; negative if it has set it back. */
let setByMs: number;
/** All attempts, in the order of their start. */
let attempts: Attempt[];
const deliverers: Deliverer[] = [];
const sealing = new Sealing([randomBytes(32)]);
const startedAt = Date.now();
/** The wall clock. It stands still unless a test sets it or advances the monotonic clock. */
const now = () => new Date(startedAt + performance.now() + setByMs);

beforeEach(() => {
  // The database uses the real clocks and timeouts.
  const doNotFake = ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake] });
  [setByMs, attempts] = [0, []];
});
afterEach(async () => {
  for (const deliverer of deliverers.splice(0)) await deliverer.stop(0);
  jest.useRealTimers();
  for (const { collection } of [models.endpoints, models.deliveries, models.queues, models.replicas])
    await collection.deleteMany({});
});

const pass = (ms: number): void => void jest.advanceTimersByTime(ms);
const urls = (): string[] => attempts.map(({ url }) => url);

/**
 * Starts a replica, whose attempts stay in flight until the test responds. Resolves once the replica has a lease and
 * has rechecked all queues.
 */
async function aReplica(
  options: Partial<DelivererOptions> = {},
  { queues, replicas }: { [Name in 'queues' | 'replicas']?: Partial<Store[Name]> } = {},
) {
  const by = deliverers.length;
  /**
   * `checks` counts completed queries for owned queues; `rechecks`, completed rechecks of all queues; `renewals`,
   * renewals of the lease; and `heartbeats`, completed reads of all leases, one for each heartbeat.
   */
  const count = { checks: 0, rechecks: 0, renewals: 0, heartbeats: 0 };
  const counted = {
    isAnyOwned: async () => {
      const found = await store.queues.isAnyOwned();
      count.checks += 1;
      return found;
    },
    recheck: async (at: Date) => {
      await (queues?.recheck ?? store.queues.recheck)(at);
      count.rechecks += 1;
    },
  };
  const countedLeases = {
    advance: (id: string) => {
      count.renewals += 1;
      return store.replicas.advance(id);
    },
    beats: async () => {
      const found = await store.replicas.beats();
      count.heartbeats += 1;
      return found;
    },
  };
  const deliverer = new Deliverer(
    {
      store: {
        ...store,
        queues: { ...store.queues, isAnyOwned: counted.isAnyOwned, ...queues, recheck: counted.recheck },
        replicas: { ...store.replicas, ...countedLeases, ...replicas },
      },
      sealing,
      sender: {
        send: ({ url }) =>
          new Promise((resolve) => {
            const outcome = { at: now(), durationMs: 0, responseSnippet: null, retryAfterMs: null };
            const respond = (statusCode = 200): void =>
              resolve({ ...outcome, statusCode, error: statusCode === 200 ? null : 'failed' } satisfies Outcome);
            attempts.push({ by, url, respond });
          }),
      },
      now,
      random: () => 0.5,
      disable: async () => undefined,
      observe: () => undefined,
      log: createLog('test', 'silent'),
    },
    { pollMs: POLL_MS, leaseMs: LEASE_MS, instance: null, endpointsAtOnce: 10, ready: () => true, ...options },
  );
  deliverers.push(deliverer);
  pass(HEARTBEAT_MS);
  await until(() => deliverer.lease && count.rechecks === 1);
  /** Lets time pass until the replica is idle and has just checked for work. */
  const becomeIdle = async (): Promise<void> => {
    await until(() => {
      pass(POLL_MS);
      return count.checks > 0;
    });
  };
  /** Lets time pass until the next heartbeat, and waits until it has read the leases. */
  const heartbeat = async (everyMs = HEARTBEAT_MS): Promise<void> => {
    const { heartbeats } = count;
    pass(everyMs);
    await until(() => count.heartbeats === heartbeats + 1);
  };
  return { deliverer, count, becomeIdle, heartbeat };
}

let endpoints = 0;
/** Stores an active endpoint with `count` pending deliveries, and marks its queue as due. No replica is woken. */
async function anEndpoint({ count = 1, dueAt = now(), queue = {} } = {}) {
  const [_id, workspaceId] = [newId('whe'), newId('ws')];
  const url = `https://hooks.example.com/${(endpoints += 1)}`;
  const [createdAt, secrets] = [now(), [sealSecret(sealing, _id, newSecret())]];
  await models.endpoints.create({
    ...{ _id, workspaceId, url, events: ['*'], active: true, secrets, createdAt, updatedAt: createdAt },
  });
  const add = (of: number) =>
    store.deliveries.insertNew(
      Array.from({ length: of }, () => ({
        ...{ _id: newId('whd'), workspaceId, endpointId: _id, eventId: newId('evt'), type: 'tag.created' },
        ...{ status: 'pending' as const, attempts: 0, nextAttemptAt: dueAt, manual: false, body: '{}', attemptLog: [] },
        ...{ createdAt, completedAt: null },
      })),
    );
  await add(count);
  await models.queues.create({ _id, wakeVersion: 0, owner: null, failing: false, failingSince: null, dueAt, ...queue });
  const addMore = async (of: number): Promise<void> => {
    await add(of);
    await store.queues.markDue([_id], now());
  };
  const stored = () => models.queues.findById(_id).lean();
  return { id: _id, url, addMore, stored };
}

const succeeded = (): Promise<number> => models.deliveries.countDocuments({ status: 'succeeded', attempts: 1 });

describe('an idle replica', () => {
  test('finds deliveries within five seconds if their wake-up was lost', async () => {
    const { becomeIdle } = await aReplica();
    await becomeIdle();
    const { url } = await anEndpoint();
    pass(MAX_CHECK_MS);
    await until(() => attempts.length === 1);
    expect(urls()).toEqual([url]);
  });

  test('checks again, and delivers, when the next delivery is due', async () => {
    const { becomeIdle, count } = await aReplica();
    await becomeIdle();
    await anEndpoint({ dueAt: new Date(now().getTime() + MAX_CHECK_MS + 2_000) });
    pass(POLL_MS);
    // Gives a premature check time to happen.
    await store.queues.owners();
    expect(count.checks).toBe(1);
    pass(MAX_CHECK_MS);
    await until(() => count.checks === 2);
    expect(attempts).toEqual([]);
    pass(2_000);
    await until(() => attempts.length === 1);
  });

  test('checks again, and delivers, after a check failed', async () => {
    let checks = 0;
    const isAnyOwned = () => ((checks += 1) === 1 ? Promise.reject(new Error('timeout')) : store.queues.isAnyOwned());
    await aReplica({}, { queues: { isAnyOwned } });
    await until(() => {
      pass(POLL_MS);
      return checks === 2;
    });
    await anEndpoint();
    pass(MAX_CHECK_MS);
    await until(() => attempts.length === 1);
  });

  test('looks for queues of lost replicas at the first heartbeat after a wake-up', async () => {
    const { becomeIdle, deliverer } = await aReplica();
    await becomeIdle();
    const { id } = await anEndpoint({ queue: { owner: 'lost' } });
    deliverer.wake([id]);
    // Leaves time for the claim, which finds nothing.
    for (let i = 0; i < 5; i += 1) await store.queues.owners();
    pass(HEARTBEAT_MS);
    await until(() => attempts.length === 1);
  });

  test('releases the queues of a replica that is no longer registered', async () => {
    const { becomeIdle } = await aReplica();
    await becomeIdle();
    await anEndpoint({ queue: { owner: 'lost' } });
    pass(MAX_CHECK_MS);
    await until(() => attempts.length === 1);
  });

  test.each([
    ['forward', HOUR_MS, HOUR_MS],
    ['back', -HOUR_MS, 0],
  ])('delivers within a heartbeat after the clock was set %s by an hour', async (_direction, byMs, dueInMs) => {
    const { becomeIdle, count } = await aReplica();
    await becomeIdle();
    await anEndpoint({ dueAt: new Date(now().getTime() + dueInMs) });
    setByMs += byMs;
    pass(HEARTBEAT_MS);
    await until(() => attempts.length === 1);
    pass(HEARTBEAT_MS);
    attempts[0]!.respond();
    await until(async () => (await succeeded()) === 1);
    expect(count.rechecks).toBe(byMs < 0 ? 2 : 1);
  });
});

test('after the clock was set back, a recheck that failed is repeated at the next heartbeat', async () => {
  let failures = 0;
  const recheck = async (at: Date) => {
    if (setByMs === 0 || failures > 0) return store.queues.recheck(at);
    failures += 1;
    throw new Error('the database is unavailable');
  };
  const { becomeIdle } = await aReplica({}, { queues: { recheck } });
  await becomeIdle();
  await anEndpoint();
  setByMs -= HOUR_MS;
  pass(HEARTBEAT_MS);
  await until(() => failures === 1);
  pass(HEARTBEAT_MS);
  await until(() => attempts.length === 1);
});

describe('an active replica', () => {
  test.each([
    [600, 100],
    [60_000, 500],
  ])('renews a lease of %d ms every %d ms', async (leaseMs, everyMs) => {
    const { deliverer, count, heartbeat } = await aReplica({ leaseMs });
    deliverer.checkNow();
    const { renewals } = count;
    for (let i = 0; i < 3; i += 1) await heartbeat(everyMs);
    expect(count.renewals).toBe(renewals + 3);
  });

  test('remains active while it has a queue in progress', async () => {
    const { deliverer, count } = await aReplica();
    deliverer.checkNow();
    pass(ACTIVE_MS - 2 * POLL_MS);
    await until(() => count.heartbeats === 2);
    await anEndpoint();
    pass(POLL_MS);
    await until(() => attempts.length === 1);
    const { renewals } = count;
    pass(HEARTBEAT_MS);
    expect(count.renewals).toBe(renewals + 1);
  });

  test('remains active while another replica owns a queue, and takes the queue over when the lease expires', async () => {
    let isOtherStarting = false;
    // The other replica registers and claims a queue just before this one queries the owners of queues.
    const owners = async () => {
      if (isOtherStarting) {
        isOtherStarting = false;
        await models.replicas.create({ _id: 'other', instance: null, beat: 0 });
        await anEndpoint({ queue: { owner: 'other' } });
      }
      return store.queues.owners();
    };
    const { deliverer, heartbeat } = await aReplica({}, { queues: { owners } });
    isOtherStarting = true;
    deliverer.checkNow();
    for (let ms = 0; ms < LEASE_MS; ms += HEARTBEAT_MS) await heartbeat();
    expect(attempts).toEqual([]);
    await heartbeat();
    await until(() => attempts.length === 1);
  });
});

describe('a replica', () => {
  test('does not use the database while the database is not ready, not even when the replica stops', async () => {
    let [isReady, queries] = [true, 0];
    const counted = {
      nextDueAt: () => {
        queries += 1;
        return store.queues.nextDueAt();
      },
      claimable: (failing: boolean, at: Date, limit: number) => {
        queries += 1;
        return store.queues.claimable(failing, at, limit);
      },
    };
    const { becomeIdle, count, deliverer } = await aReplica({ ready: () => isReady }, { queues: counted });
    await becomeIdle();
    isReady = false;
    const before = [queries, count.renewals];
    deliverer.checkNow();
    pass(MAX_CHECK_MS);
    expect([queries, count.renewals]).toEqual(before);
    await deliverer.stop(0);
    expect(await models.replicas.countDocuments()).toBe(1);
  });

  test('processes as many endpoints at once as it has slots, and the next one as soon as a slot is free', async () => {
    const { deliverer } = await aReplica({ endpointsAtOnce: 2 });
    const created = [];
    for (let i = 0; i < 4; i += 1) created.push(await anEndpoint());
    deliverer.wake(created.map(({ id }) => id));
    await until(() => attempts.length === 2);
    expect(deliverer.load).toEqual({ inFlight: 2, queues: 2, failing: 0 });
    for (const next of [3, 4]) {
      attempts[next - 3]!.respond();
      await until(() => attempts.length === next);
      expect(deliverer.load).toEqual({ inFlight: 2, queues: 2, failing: 0 });
    }
    expect(new Set(urls()).size).toBe(4);
  });

  test('claims more than a hundred queues at once if it has slots for them', async () => {
    const { deliverer } = await aReplica({ endpointsAtOnce: 200 });
    await Promise.all(Array.from({ length: 101 }, () => anEndpoint()));
    deliverer.checkNow();
    await until(() => attempts.length === 101);
  });

  test('claims a queue again immediately if it was woken while being released', async () => {
    const release: Store['queues']['release'] = async (releases, owner) => {
      const unreleased = await store.queues.release(releases, owner);
      if (attempts.length === 1) {
        await addMore(1);
        deliverer.wake([id]);
      }
      return unreleased;
    };
    const { deliverer } = await aReplica({}, { queues: { release } });
    const { id, addMore } = await anEndpoint();
    deliverer.checkNow();
    await until(() => attempts.length === 1);
    attempts[0]!.respond();
    await until(() => attempts.length === 2);
  });

  test('continues with its queue when it renews a lease that expired', async () => {
    let isConnected = true;
    const advance = (id: string) => (isConnected ? store.replicas.advance(id) : Promise.reject(new Error('timeout')));
    const { deliverer, heartbeat } = await aReplica({}, { replicas: { advance } });
    await anEndpoint({ count: 5 });
    deliverer.checkNow();
    await until(() => attempts.length === 4);
    isConnected = false;
    pass(LEASE_MS);
    for (const { respond } of attempts) respond();
    await until(async () => (await succeeded()) === 4);
    expect([deliverer.lease, attempts.length]).toEqual([undefined, 4]);
    isConnected = true;
    await heartbeat();
    await until(() => attempts.length === 5);
  });

  test('whose lease was ended begins no attempt for its old queues once it has a new lease', async () => {
    let respondAll = (): void => undefined;
    // A worker takes a few microtasks from a response to the next attempt, about as long as the renewal takes to end.
    let microtasks = 0;
    const register = async (...given: Parameters<Store['replicas']['register']>) => {
      await store.replicas.register(...given);
      respondAll();
      for (let i = 0; i < microtasks; i += 1) await Promise.resolve();
    };
    for (; microtasks < 12; microtasks += 1) {
      attempts = [];
      respondAll = () => undefined;
      const { deliverer, heartbeat } = await aReplica({}, { replicas: { register } });
      const { stored } = await anEndpoint({ count: 8 });
      deliverer.checkNow();
      await until(() => attempts.length === 4);
      const { owner } = (await stored())!;
      await models.replicas.deleteOne({ _id: owner! });
      respondAll = () => attempts.slice(0, 4).forEach(({ respond }) => respond());
      await models.queues.deleteMany({});
      await heartbeat(LEASE_MS);
      expect(attempts).toHaveLength(4);
      await deliverer.stop(0);
    }
  });

  test('has separate slots for failing endpoints, which take turns', async () => {
    const { deliverer } = await aReplica({ endpointsAtOnce: 1 });
    const failing = { count: 2, queue: { failing: true, failingSince: now() } };
    const [first, second] = [await anEndpoint(failing), await anEndpoint(failing)];
    const healthy = await anEndpoint();
    deliverer.checkNow();
    await until(() => attempts.length === 2);
    expect(deliverer.load).toEqual({ inFlight: 2, queues: 2, failing: 1 });
    attempts.find(({ url }) => url === healthy.url)!.respond();
    await until(() => deliverer.load.queues === 1);
    const begun = () => attempts.filter(({ url }) => url !== healthy.url);
    for (let i = 1; i <= 3; i += 1) {
      // The queue that is released is due after the one that waits.
      pass(1);
      begun().at(-1)!.respond(500);
      await until(() => begun().length === i + 1);
    }
    const turns = begun().map(({ url }) => url);
    expect(new Set(turns)).toEqual(new Set([first.url, second.url]));
    expect(turns).toEqual([turns[0], turns[1], turns[0], turns[1]]);
  });

  test('continues with deliveries that become due in a queue in progress, at the current URL of the endpoint', async () => {
    const { deliverer } = await aReplica();
    const [own, other] = [await anEndpoint(), await anEndpoint({ queue: { owner: 'another replica' } })];
    deliverer.checkNow();
    await until(() => attempts.length === 1);
    await models.endpoints.updateOne({ _id: own.id }, { url: `${own.url}/new` });
    deliverer.invalidate(own.id);
    await own.addMore(1);
    expect(deliverer.wake([own.id, other.id])).toEqual([other.id]);
    await until(() => attempts.length === 2);
    expect(urls()).toEqual([own.url, `${own.url}/new`]);
  });

  test('that stops begins no further attempt, waits for those in flight, and releases its queues', async () => {
    const { deliverer } = await aReplica();
    const { stored } = await anEndpoint({ count: 5 });
    deliverer.checkNow();
    await until(() => attempts.length === 4);
    const stopped = deliverer.stop(20_000);
    const late = await anEndpoint();
    expect(deliverer.wake([late.id])).toEqual([late.id]);
    pass(MAX_CHECK_MS);
    for (const { respond } of attempts) respond();
    await stopped;
    expect([attempts.length, await succeeded()]).toEqual([4, 4]);
    expect(await stored()).toMatchObject({ owner: null, dueAt: expect.any(Date) });
    expect(await models.replicas.countDocuments()).toBe(0);
  });

  test('that stops while it claims queues releases them too', async () => {
    let stopped: Promise<void> | undefined;
    const claim = async (ids: string[], owner: string) => {
      stopped = deliverer.stop(0);
      // A release that did not wait for the claim would happen in this time.
      for (let i = 0; i < 5; i += 1) await store.queues.owners();
      return store.queues.claim(ids, owner);
    };
    const { deliverer } = await aReplica({}, { queues: { claim } });
    const { stored } = await anEndpoint();
    deliverer.checkNow();
    await until(() => stopped !== undefined);
    await stopped;
    expect(await stored()).toMatchObject({ owner: null });
  });

  test('that stops while it checks for due deliveries waits for the check', async () => {
    let stopped: Promise<void> | undefined;
    let isChecked = false;
    const isAnyOwned = async () => {
      stopped ??= deliverer.stop(0);
      // A stop that did not wait for the check would end in this time.
      for (let i = 0; i < 5; i += 1) await store.queues.owners();
      isChecked = true;
      return false;
    };
    const { deliverer } = await aReplica({}, { queues: { isAnyOwned } });
    await until(() => {
      pass(POLL_MS);
      return stopped !== undefined;
    });
    await stopped;
    expect(isChecked).toBe(true);
  });

  test('that stops while it acquires another lease ends that lease', async () => {
    let [isStopping, isRegistered] = [false, false];
    const register = async (id: string, instance: string | null) => {
      // A stop that did not wait for the registration would end in this time.
      if (isStopping) for (let i = 0; i < 5; i += 1) await store.queues.owners();
      await store.replicas.register(id, instance);
      isRegistered = isStopping;
    };
    const { deliverer } = await aReplica({}, { replicas: { register } });
    deliverer.checkNow();
    await models.replicas.collection.deleteMany({});
    pass(HEARTBEAT_MS);
    isStopping = true;
    await deliverer.stop(0);
    await until(() => isRegistered);
    expect(await models.replicas.countDocuments()).toBe(0);
  });

  test('that stops abandons attempts in flight after the given time, and does not record them', async () => {
    const { deliverer } = await aReplica();
    const { stored } = await anEndpoint();
    deliverer.checkNow();
    await until(() => attempts.length === 1);
    await deliverer.stop(0);
    expect(await stored()).toMatchObject({ owner: null });
    attempts[0]!.respond();
    await until(() => deliverer.load.queues === 0);
    expect(await succeeded()).toBe(0);
  });
});

describe('of two replicas,', () => {
  test('one whose lease was ended begins and records no attempt, and the other repeats those in flight', async () => {
    const [lost, other] = [await aReplica(), await aReplica()];
    const { stored } = await anEndpoint({ count: 5 });
    lost.deliverer.checkNow();
    await until(() => attempts.length === 4);
    await models.replicas.deleteOne({ _id: (await stored())!.owner! });
    other.deliverer.checkNow();
    pass(HEARTBEAT_MS);
    await until(() => attempts.length === 8);
    for (const { respond } of attempts.slice(0, 4)) respond();
    await until(() => lost.deliverer.load.queues === 0);
    expect(await succeeded()).toBe(0);
    for (const { respond } of attempts.slice(4)) respond();
    await until(() => attempts.length === 9);
    attempts[8]!.respond();
    await until(async () => (await succeeded()) === 5);
    expect(attempts.map(({ by }) => by)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });

  test('one begins no further attempt after its lease expired, and the other takes over', async () => {
    let isConnected = true;
    const advance = (id: string) => (isConnected ? store.replicas.advance(id) : Promise.reject(new Error('timeout')));
    const [lost, other] = [await aReplica({}, { replicas: { advance } }), await aReplica()];
    await anEndpoint({ count: 5 });
    lost.deliverer.checkNow();
    await until(() => attempts.length === 4);
    isConnected = false;
    other.deliverer.checkNow();
    pass(LEASE_MS);
    expect(lost.deliverer.lease).toBeUndefined();
    for (const { respond } of attempts) respond();
    await until(async () => (await succeeded()) === 4);
    await until(() => {
      pass(POLL_MS / 2);
      return attempts.length === 5;
    });
    expect(attempts[4]!.by).toBe(1);
  });
});

test.each([
  ['claims a queue', false],
  ['completes a failed claim', true],
])(
  'a replica processes the queue only under a new lease if it loses its lease while it %s',
  async (_what, isClaimFailing) => {
    let isInterrupted = false;
    const loseLease = async (owner: string) => {
      isInterrupted = true;
      await models.replicas.deleteOne({ _id: owner });
      pass(HEARTBEAT_MS);
      await until(async () => (await models.queues.countDocuments({ owner })) === 0);
    };
    const claim = async (ids: string[], owner: string) => {
      const claimed = await store.queues.claim(ids, owner);
      if (isInterrupted) return claimed;
      if (isClaimFailing) throw new Error('the database is unavailable');
      await loseLease(owner);
      return claimed;
    };
    const ownedBy = async (owner: string) => {
      const owned = await store.queues.ownedBy(owner);
      await loseLease(owner);
      return owned;
    };
    const { deliverer } = await aReplica({}, { queues: { claim, ownedBy } });
    const { stored } = await anEndpoint();
    deliverer.checkNow();
    await until(() => {
      pass(POLL_MS);
      return attempts.length > 0;
    });
    expect(await stored()).toMatchObject({ owner: expect.any(String) });
    attempts[0]!.respond();
    await until(async () => (await stored())!.owner === null);
    expect([attempts.length, await succeeded()]).toEqual([1, 1]);
  },
);

test('a claim that fails after it acquired queues is completed by the next poll, and no queue is processed twice', async () => {
  let failures = 0;
  const claim = async (ids: string[], owner: string) => {
    const claimed = await store.queues.claim(ids, owner);
    if (attempts.length === 0 || failures > 0) return claimed;
    failures += 1;
    throw new Error('the database is unavailable');
  };
  const ownedBy = async (owner: string) => {
    const owned = await store.queues.ownedBy(owner);
    // The first queue is released during the query.
    attempts[0]!.respond();
    await until(() => deliverer.load.queues === 0);
    return owned;
  };
  const { deliverer } = await aReplica({}, { queues: { claim, ownedBy } });
  const [first, second] = [await anEndpoint(), await anEndpoint({ dueAt: new Date(now().getTime() + 1) })];
  deliverer.checkNow();
  await until(() => attempts.length === 1);
  pass(POLL_MS);
  await until(() => failures === 1);
  pass(POLL_MS);
  await until(() => attempts.length > 1);
  expect(urls()).toEqual([first.url, second.url]);
  expect(deliverer.load.queues).toBe(1);
});
