import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { newId, Sealing } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import { newSecret, rotated, sealSecret } from '../domain/secrets.js';
import { TargetReader } from './target.js';

const HOUR = 3_600_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A reader of a stored endpoint, and the number of times that it read the endpoint. */
function aReader() {
  const sealing = new Sealing([randomBytes(32)]);
  const id = newId('whe');
  const seal = () => sealSecret(sealing, id, newSecret());
  const endpoint = { _id: id, active: true, secrets: rotated([seal()], seal(), new Date()) } as Endpoint;
  const stored = { endpoint: endpoint as Endpoint | undefined, reads: 0 };
  const read = async () => ((stored.reads += 1), stored.endpoint);
  return { stored, endpoint, reader: new TargetReader(read, sealing, () => new Date()) };
}

test('caches an endpoint, and reads it again once one of its secrets has expired', async () => {
  const { stored, reader } = aReader();
  for (let i = 0; i < 3; i += 1) await reader.current();
  expect(stored.reads).toBe(1);
  // Sets the clock, but not the monotonic one by which the endpoint expires from the cache.
  jest.setSystemTime(Date.now() + 25 * HOUR);
  for (let i = 0; i < 3; i += 1) await reader.current();
  expect(stored.reads).toBe(2);
});

test('reads an endpoint again after 5 seconds, in case an invalidation was lost', async () => {
  const { stored, reader } = aReader();
  await reader.current();
  jest.advanceTimersByTime(4_999);
  await reader.current();
  expect(stored.reads).toBe(1);
  jest.advanceTimersByTime(1);
  await reader.current();
  expect(stored.reads).toBe(2);
});

test('reads an endpoint again after an invalidation, even if it was being read at that time', async () => {
  const { stored, reader } = aReader();
  await reader.current();
  reader.invalidate();
  const reading = reader.current();
  reader.invalidate();
  await reading;
  await reader.current();
  expect(stored.reads).toBe(3);
});

test('reads an undeliverable endpoint each time, and reports why nothing can be delivered', async () => {
  const { stored, endpoint, reader } = aReader();
  const unreadable = { ...endpoint, secrets: [{ sealed: Buffer.alloc(60), expiresAt: null }] };
  const targets: unknown[] = [];
  for (const each of [undefined, { ...endpoint, active: false }, unreadable, endpoint]) {
    stored.endpoint = each;
    targets.push(await reader.current());
  }
  expect(targets).toEqual(['deleted', 'disabled', 'unreadable', { endpoint, signer: expect.anything() }]);
});
