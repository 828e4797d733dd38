import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubjectFilter } from '../routing/subject.js';
import { MessageStore, type StoreOptions } from './message-store.js';
import { Segment } from './segment.js';

let folder: string;
let copies: string[];
let stores: MessageStore[];
let errors: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
  [copies, stores, errors] = [[], [], []];
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(stores.map((store) => store.close().catch(() => undefined)));
  await Promise.all([folder, ...copies].map((path) => rm(path, { recursive: true, force: true })));
});

const all = new SubjectFilter([]);

async function open(options: Partial<StoreOptions> = {}): Promise<MessageStore> {
  const onError = (error: Error): void => void errors.push(error.message);
  const store = await MessageStore.open({ folder, segmentBytes: 64 * 1024, onError, ...options });
  stores.push(store);
  return store;
}

/** Opens a copy of the folder, as a crash at this moment would leave it. */
async function reopened(): Promise<MessageStore> {
  const copy = await mkdtemp(join(tmpdir(), 'store-'));
  copies.push(copy);
  // Copied synchronously, so that nothing is appended during the copy; a file may still be replaced or deleted.
  await eventually(() => {
    rmSync(copy, { recursive: true });
    try {
      cpSync(folder, copy, { recursive: true });
      return true;
    } catch {
      mkdirSync(copy, { recursive: true });
      return false;
    }
  });
  return open({ folder: copy });
}

const add = (store: MessageStore, text: string, subject = 's'): Promise<void> =>
  store.append(subject, Buffer.from('NATS/1.0\r\n\r\n'), Buffer.from(text)).stored;

async function fill(store: MessageStore, count: number, bytes = 1_000): Promise<void> {
  for (let n = 1; n <= count; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, m) => add(store, String(n + m).padEnd(bytes))));
  }
}

/** Returns sequence and text of each message. */
const contents = (store: MessageStore): string[] =>
  [...store.slots()].map((slot) => `${slot.seq} ${store.read(slot).payload.toString().trim()}`);

const files = async (): Promise<string[]> => (await readdir(folder)).sort();

async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('the condition was not met within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the message store', () => {
  test('restores all messages from several files', async () => {
    const store = await open();
    await fill(store, 300);
    expect((await files()).length).toBeGreaterThan(2);
    const [count, bytes, before] = [store.count, store.bytes, contents(store)];
    await store.close();
    const restored: number[] = [];
    const again = await open({ onMessage: ({ seq }) => restored.push(seq) });
    expect([again.count, again.bytes, again.firstSeq, again.lastSeq]).toEqual([count, bytes, 1, 300]);
    expect(contents(again)).toEqual(before);
    expect(restored).toEqual(before.map((_, n) => n + 1));
    expect(errors).toEqual([]);
  });

  test('acknowledges in order, even at the start of a new file', async () => {
    const store = await open({ segmentBytes: 4 * 1024 });
    const order: number[] = [];
    const stored: Promise<unknown>[] = [];
    for (let n = 1; n <= 200; n++) {
      stored.push(add(store, 'x'.repeat(500)).then(() => order.push(n)));
      if (n % 7 === 0) await new Promise(setImmediate);
    }
    await Promise.all(stored);
    expect(order).toEqual(order.map((_, n) => n + 1));
    expect(store.committedSeq).toBe(200);
  });

  const size = async (): Promise<number> => {
    // A file that is being rewritten can disappear after it was listed.
    const sizeOf = (name: string) =>
      stat(join(folder, name)).then(
        (found) => found.size,
        () => 0,
      );
    const sizes = await Promise.all((await files()).map(sizeOf));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };

  test('reclaims the space of all files that become sparse at the same time', async () => {
    const store = await open();
    await fill(store, 300);
    const [count, before] = [(await files()).length, await size()];
    expect(count).toBeGreaterThan(2);
    for (const slot of [...store.slots()]) if (slot.seq % 40 !== 0) store.remove(slot);
    await store.flushed();
    await eventually(async () => (await size()) < before / 5);
    expect(store.count).toBe(7);
    expect(errors).toEqual([]);
  });

  test('keeps removals across a restart and reclaims their space', async () => {
    const store = await open();
    await fill(store, 300);
    const fileCount = (await files()).length;
    for (const slot of [...store.slots()]) if (slot.seq <= 250 && slot.seq % 50 !== 0) store.remove(slot);
    await store.flushed();
    const kept = contents(store);
    expect(kept.length).toBe(55);
    expect(contents(await reopened())).toEqual(kept);
    for (const slot of [...store.slots()]) if (slot.seq < 299) store.remove(slot);
    await store.flushed();
    await eventually(async () => (await files()).length < fileCount && (await size()) < 100_000);
    expect(contents(store)).toEqual(['299 299', '300 300']);
    expect(contents(await reopened())).toEqual(['299 299', '300 300']);
    expect(errors).toEqual([]);
  });

  test('reads correctly while a file is rewritten', async () => {
    const store = await open();
    await fill(store, 200);
    for (const slot of [...store.slots()]) {
      if (slot.seq % 3 !== 0) store.remove(slot);
      if (slot.seq % 20 === 0) await new Promise(setImmediate);
      for (const other of store.slots()) {
        if (other.seq % 30 === 0) expect(store.read(other).payload.toString().trim()).toBe(String(other.seq));
      }
    }
    const kept = contents(store);
    await store.close();
    expect(contents(await open())).toEqual(kept);
  });

  test('does not restore messages that a floor record or a removal record removed', async () => {
    const store = await open();
    await fill(store, 100, 10);
    for (let seq = 1; seq <= 40; seq++) store.remove(store.slot(seq)!);
    store.remove(store.slot(70)!);
    await store.flushed();
    const again = await reopened();
    expect([again.firstSeq, again.count]).toEqual([41, 59]);
  });

  /**
   * Returns a store with three files, and the sequences of the messages in the second file. The floor record in the
   * second file removes the first five messages of the first file.
   */
  async function storeWithFloor(): Promise<{ store: MessageStore; second: readonly number[] }> {
    const store = await open({ segmentBytes: 16 * 1024 });
    const fillUntil = async (count: number): Promise<void> => {
      while ((await files()).length < count) await fill(store, 10);
      await eventually(() => store.append('s', undefined, Buffer.from('x')).slot.segment.number === count);
    };
    await fillUntil(2);
    // Remove fewer than half of the messages, so that the first file is not rewritten.
    for (let seq = 1; seq <= 5; seq++) store.remove(store.slot(seq)!);
    await store.flushed();
    await fillUntil(3);
    const { segment } = [...store.slots()].find((slot) => slot.segment.number === 2)!;
    return { store, second: [...segment.slots()].map(({ seq }) => seq) };
  }

  const sizeOfSecond = async (): Promise<number> => (await stat(join(folder, '0000000002.log'))).size;

  test('keeps removals if it is closed while the file that records them is rewritten', async () => {
    const { store, second } = await storeWithFloor();
    for (const seq of second.slice(0, -1)) store.remove(store.slot(seq)!);
    const [kept, before] = [contents(store), await sizeOfSecond()];
    expect(kept[0]).toBe('6 6');
    await store.close();
    expect(await sizeOfSecond()).toBeLessThan(before);
    expect(contents(await open())).toEqual(kept);
  });

  test('keeps removals after a crash if the file that records them was rewritten', async () => {
    const { store, second } = await storeWithFloor();
    jest.spyOn(Segment.prototype, 'recordFloor').mockResolvedValue();
    for (const seq of second.slice(0, -1)) store.remove(store.slot(seq)!);
    await eventually(async () => (await sizeOfSecond()) < 2_000);
    expect(contents(await reopened())).toEqual(contents(store));
  });

  test('deletes a file without messages only after the removals that it records are recorded elsewhere', async () => {
    const { store, second } = await storeWithFloor();
    let release = (): void => undefined;
    const { segment: active } = [...store.slots()].at(-1)!;
    const recordFloor = active.recordFloor.bind(active);
    jest.spyOn(active, 'recordFloor').mockImplementationOnce(async (seq) => {
      await new Promise<void>((resolve) => (release = resolve));
      return recordFloor(seq);
    });
    for (const seq of second) store.remove(store.slot(seq)!);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(contents(await reopened())).toEqual(contents(store));
    expect(await files()).toHaveLength(3);
    release();
    await eventually(async () => (await files()).length === 2);
    expect(contents(await reopened())).toEqual(contents(store));
    expect(errors).toEqual([]);
  });

  test('does not reuse the sequences below the floor, even if their messages were lost', async () => {
    const store = await open();
    await fill(store, 10);
    await store.recordFloor(16);
    expect((await reopened()).lastSeq).toBe(15);
  });

  test('removes all messages durably and continues the sequence', async () => {
    const store = await open();
    await fill(store, 150);
    await store.recordFloor(151);
    for (const slot of [...store.slots()]) store.remove(slot);
    expect([store.count, store.bytes, store.firstSeq, store.lastSeq]).toEqual([0, 0, 151, 150]);
    const again = await reopened();
    expect([again.count, again.firstSeq, again.lastSeq]).toEqual([0, 151, 150]);
    expect(again.append('s', undefined, Buffer.from('next')).slot.seq).toBe(151);
  });

  test('starts at the configured sequence and leaves skipped sequences empty', async () => {
    const store = await open({ firstSeq: 1_000 });
    await add(store, 'a');
    await store.skip().stored;
    await add(store, 'b');
    expect(contents(store)).toEqual(['1000 a', '1002 b']);
    await store.skip().stored;
    expect(contents(await reopened())).toEqual(['1000 a', '1002 b']);
    expect((await reopened()).lastSeq).toBe(1_003);
  });

  test('truncates a torn tail, reports it, and does not reuse the lost sequence', async () => {
    const store = await open();
    await fill(store, 10, 100);
    await store.close();
    const [file] = await files();
    await truncate(join(folder, file!), (await stat(join(folder, file!))).size - 30);
    const again = await open();
    expect(contents(again).length).toBe(9);
    expect(errors).toEqual([
      expect.stringMatching(
        /0000000001\.log: removed an incomplete or damaged record of \d+ bytes at offset \d+; its bytes were copied to /,
      ),
    ]);
    await again.close();
    expect((await open()).append('s', undefined, Buffer.from('x')).slot.seq).toBe(11);
  });

  test('behaves like a plain list under random operations', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.constantFrom('a', 'b', 'c.d') }),
      fc.record({ remove: fc.nat(100) }),
      fc.constant({ reopen: true } as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await rm(folder, { recursive: true, force: true });
        let store = await open({ segmentBytes: 600 });
        let model: { seq: number; subject: string }[] = [];
        let last = 0;
        for (const one of steps) {
          if ('add' in one) {
            await add(store, String(++last), one.add);
            model.push({ seq: last, subject: one.add });
          } else if ('remove' in one && model.length > 0) {
            const { seq } = model[one.remove % model.length]!;
            store.remove(store.slot(seq)!);
            model = model.filter((entry) => entry.seq !== seq);
          } else if ('reopen' in one) {
            await store.close();
            store = await open({ segmentBytes: 600 });
          }
          expect([...store.slots()].map(({ seq }) => seq)).toEqual(model.map(({ seq }) => seq));
          expect([store.firstSeq, store.lastSeq, store.count]).toEqual([model[0]?.seq ?? last + 1, last, model.length]);
        }
        for (const wanted of [['a'], ['a', 'c.d'], ['*'], ['c.>', 'b']]) {
          const filter = new SubjectFilter(wanted);
          const some = model.filter(({ subject }) => filter.matches(subject));
          expect(store.countFrom(filter, 0)).toBe(some.length);
          expect(store.last(filter)?.seq).toBe(some.at(-1)?.seq);
          expect(store.next(filter, 10)?.seq).toBe(some.find(({ seq }) => seq >= 10)?.seq);
        }
        expect(store.countFrom(all, 5)).toBe(model.filter(({ seq }) => seq >= 5).length);
        await store.close();
      }),
      { numRuns: 40 },
    );
    expect(errors).toEqual([]);
  });
});
