import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLog, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import type { Batch } from './batch-builder.js';
import { ClickPublisher } from './publisher.js';
import { SpillFolder } from './spill-folder.js';
import { Spill } from './spill.js';

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'tautan-publisher-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

/**
 * A bus whose responses the test controls. Records the ids of the batches in all attempts (`tried`), and of those
 * acknowledged (`taken`).
 */
function aBus() {
  const listeners = new Set<(connected: boolean) => void>();
  const bus = {
    connected: true,
    answer: 'ack' as 'ack' | 'fail' | 'silence',
    taken: [] as string[],
    tried: [] as string[],
    publish: async (_subject: string, _payload: Uint8Array, { id }: { id: string }) => {
      bus.tried.push(id);
      if (bus.answer === 'fail') throw new Error('no');
      if (bus.answer === 'silence')
        await new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), 300));
      bus.taken.push(id);
    },
    onChange: (listener: (connected: boolean) => void) => {
      listeners.add(listener);
      listener(bus.connected);
      return () => listeners.delete(listener);
    },
    setConnected: (connected: boolean) => {
      bus.connected = connected;
      for (const listener of listeners) listener(connected);
    },
  };
  return bus;
}

async function setup(bus = aBus()) {
  const log = createLog('test', 'silent');
  const folder = await SpillFolder.claim(root);
  const spill = new Spill(folder, log);
  await folder.adopt((path) => spill.addAdoptedFile(path));
  return { bus, spill, publisher: new ClickPublisher(bus as never, spill, log) };
}
const aBatch = (bytes = 100): Batch => ({ id: newUlid(), partition: 3, payload: Buffer.alloc(bytes) });
const files = async () => (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.clicks'));

test('an acknowledged batch is never written to disk', async () => {
  const { bus, publisher, spill } = await setup();
  const batches = Array.from({ length: 20 }, () => aBatch());
  for (const batch of batches) publisher.submit(batch);
  await publisher.stop(1_000);
  expect(bus.tried).toEqual(batches.map(({ id }) => id));
  expect([publisher.pending, publisher.published, spill.spilled]).toEqual([0, 20, 0]);
});

test('a batch that is unacknowledged after 100 ms is written to disk and retried with its id', async () => {
  const { bus, publisher } = await setup();
  bus.answer = 'silence';
  const batch = aBatch();
  publisher.submit(batch);
  await until(async () => (await files()).length === 1, 250);
  bus.answer = 'ack';
  await until(() => publisher.published === 1, 2_000);
  expect(new Set(bus.tried)).toEqual(new Set([batch.id]));
  await until(async () => (await files()).length === 0, 1_000);
  await publisher.stop(0);
});

test('once one batch is late, the next batch is written to disk immediately', async () => {
  const { bus, publisher, spill } = await setup();
  bus.answer = 'silence';
  publisher.submit(aBatch());
  await until(() => spill.spilled === 1, 500);
  const append = jest.spyOn(spill, 'append');
  const next = aBatch();
  publisher.submit(next);
  expect(append.mock.calls).toEqual([[next]]);
  bus.answer = 'ack';
  await publisher.stop(2_000);
});

test('a batch that cannot be sent immediately is written to disk immediately', async () => {
  const { bus, publisher, spill } = await setup();
  bus.answer = 'silence';
  // As many batches as can be in flight.
  for (let i = 0; i < 64; i += 1) publisher.submit(aBatch());
  const append = jest.spyOn(spill, 'append');
  const waiting = aBatch();
  publisher.submit(waiting);
  expect(bus.tried).not.toContain(waiting.id);
  expect(append.mock.calls).toEqual([[waiting]]);
  bus.answer = 'ack';
  await publisher.stop(2_000);
});

test('batches are written to disk while the bus is unavailable, and published afterwards', async () => {
  const { bus, publisher } = await setup();
  bus.setConnected(false);
  const batches = Array.from({ length: 50 }, () => aBatch());
  for (const batch of batches) publisher.submit(batch);
  await until(async () => (await files()).length === 1, 500);
  bus.setConnected(true);
  await until(() => publisher.published === 50, 2_000);
  expect(bus.taken.toSorted()).toEqual(batches.map(({ id }) => id).sort());
  await publisher.stop(0);
  expect(await readdir(root)).toEqual([]);
});

test('batches that a stopped instance left on disk are published by the next instance', async () => {
  const first = await setup();
  first.bus.answer = 'fail';
  const batches = Array.from({ length: 10 }, () => aBatch());
  for (const batch of batches) first.publisher.submit(batch);
  await first.publisher.stop(50);
  const second = await setup();
  await until(() => second.publisher.published === 10, 2_000);
  expect(second.bus.taken.toSorted()).toEqual(batches.map(({ id }) => id).sort());
  await second.publisher.stop(0);
});

test('memory stays bounded during a long outage, and every batch is published in the end', async () => {
  const { bus, publisher, spill } = await setup();
  bus.setConnected(false);
  const ids = new Set<string>();
  for (let i = 0; i < 60; i += 1) {
    for (let k = 0; k < 100; k += 1) {
      const batch = aBatch(2_000);
      ids.add(batch.id);
      publisher.submit(batch);
    }
    await new Promise(setImmediate);
  }
  await until(() => publisher.pending <= 2_500 && spill.spilled === 6_000, 30_000);
  expect(publisher.lost).toBe(0);
  bus.setConnected(true);
  await until(() => new Set(bus.taken).size === 6_000, 30_000);
  expect(new Set(bus.taken)).toEqual(ids);
  await until(async () => (await files()).length === 0, 2_000);
  await publisher.stop(0);
}, 90_000);
