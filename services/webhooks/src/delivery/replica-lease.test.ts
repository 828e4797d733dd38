import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startDatabase, type TestDatabase } from '@tautan/kit/testing';
import { createModels, prepareCollections, type Models } from '../store/models.js';
import { replicaStore } from '../store/replicas.js';
import { ReplicaLease } from './replica-lease.js';

const LEASE_MS = 1_000;

let database: TestDatabase<Models>;
let models: Models;
beforeAll(async () => {
  database = await startDatabase(createModels, (each) => prepareCollections(each, 30));
  models = database.models;
});
afterAll(() => database.stop());

let clock = 0;
const aLease = async (instance: string | null = null) => {
  const lease = new ReplicaLease(replicaStore(models), { leaseMs: LEASE_MS, instance, monotonicMs: () => clock });
  expect(await lease.renew()).toBe(false);
  return lease;
};
/** Calls `endAbandoned` of an observer for `ms`, ten times per lease duration, and `meanwhile` before each call. */
async function watch(observer: ReplicaLease, ms: number, meanwhile: () => Promise<unknown> = async () => {}) {
  for (let passed = 0; passed <= ms; passed += LEASE_MS / 10) {
    await meanwhile();
    await observer.endAbandoned();
    clock += LEASE_MS / 10;
  }
}

test('another replica ends a lease whose counter stops; renewing the ended lease acquires a lease with a new owner id', async () => {
  const [lost, observer] = [await aLease(), await aLease()];
  const before = lost.owner;
  await watch(observer, LEASE_MS / 2);
  expect(lost.heldBy).toBe(before);
  await watch(observer, LEASE_MS);
  expect(lost.heldBy).toBeUndefined();
  expect(await lost.renew()).toBe(false);
  expect(lost.owner).not.toBe(before);
  expect(lost.heldBy).toBe(lost.owner);
});

test('a lease is not ended while it is renewed', async () => {
  const [renewed, observer] = [await aLease(), await aLease()];
  await watch(observer, 3 * LEASE_MS, () => renewed.renew());
  expect(await renewed.renew()).toBe(true);
});

test('after a pause, an observer does not end a lease until it has watched the lease for its whole duration again', async () => {
  const [silent, observer] = [await aLease(), await aLease()];
  await watch(observer, LEASE_MS / 2);
  clock += 60 * LEASE_MS;
  await watch(observer, LEASE_MS / 2);
  expect(silent.heldBy).toBeUndefined();
  expect(await silent.renew()).toBe(true);
});

test('a lease ends immediately when the same instance starts again, but not when another one does', async () => {
  const [lost, other] = [await aLease('host:1'), await aLease('host:2')];
  await aLease('host:1');
  expect(await lost.renew()).toBe(false);
  expect(await other.renew()).toBe(true);
});
