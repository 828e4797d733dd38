import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendLog, DamagedLogError, State } from './index.js';

const root = mkdtempSync(join(tmpdir(), 'append-log-state-'));
afterAll(() => rmSync(root, { recursive: true }));

let path: string;
let files = 0;
beforeEach(() => void (path = join(root, `${(files += 1)}`)));

const FILE_HEADER_BYTES = 8;
const onLoss = (): void => undefined;
const entriesOf = (state: State, kind: string) => [...state.all(kind)].map(([key, value]) => [key, value]);

test('stores, replaces and deletes values, before and after a restart', async () => {
  const state = await State.open(path, { onLoss });
  await state.write(['a', '1', { n: 1 }], ['a', '2', { n: 2 }], ['b', '1', 'text']);
  await state.write(['a', '1', { n: 3 }], ['a', '2']);
  await state.close();
  const again = await State.open(path, { onLoss });
  for (const one of [state, again]) {
    expect(entriesOf(one, 'a')).toEqual([['1', { n: 3 }]]);
    expect(one.get('b', '1')).toBe('text');
    expect(one.get('b', '2')).toBeUndefined();
  }
  await again.close();
});

test('does not return expired values, before or after a restart', async () => {
  let now = 1_000;
  const state = await State.open(path, { onLoss, now: () => now });
  await state.write(['a', 'short', 1, 2_000], ['a', 'long', 2, 3_000]);
  now = 2_000;
  expect(entriesOf(state, 'a')).toEqual([['long', 2]]);
  state.sweep();
  await state.close();
  const again = await State.open(path, { onLoss, now: () => now });
  expect(entriesOf(again, 'a')).toEqual([['long', 2]]);
  await again.close();
});

test('does not grow with replaced values', async () => {
  const state = await State.open(path, { onLoss });
  const text = 'x'.repeat(1_000);
  const farFuture = 9e15;
  await state.write(['kept', 'first', 'value', farFuture]);
  for (let i = 0; i < 5_000; i += 1) void state.write(['a', 'same', `${i} ${text}`]);
  await state.write(['kept', 'last', 'value']);
  const deadline = Date.now() + 10_000;
  while (statSync(path).size >= 2 * 1024 * 1024 && Date.now() < deadline) await state.write(['a', 'more', text]);
  expect(statSync(path).size).toBeLessThan(2 * 1024 * 1024);
  await state.close();
  const again = await State.open(path, { onLoss });
  expect(again.get('a', 'same')).toBe(`4999 ${text}`);
  expect(entriesOf(again, 'kept')).toEqual([
    ['first', 'value'],
    ['last', 'value'],
  ]);
  await again.close();
});

test('discards a failed write, and accepts later writes', async () => {
  let isDiskFull = false;
  const openLog: typeof AppendLog.open = async (...args) => {
    const log = await AppendLog.open(...args);
    const append = log.append.bind(log);
    log.append = (payload) => (isDiskFull ? Promise.reject(new Error('no space left')) : append(payload));
    return log;
  };
  const state = await State.open(path, { onLoss, openLog });
  await state.write(['a', 'before', 1]);
  isDiskFull = true;
  await expect(state.write(['a', 'lost', 1])).rejects.toThrow('no space left');
  isDiskFull = false;
  await Promise.all([state.write(['a', 'after', 1]), state.write(['a', 'more', 1])]);
  const whole = ['before', 'after', 'more'].map((key) => [key, 1]);
  expect(entriesOf(state, 'a')).toEqual(whole);
  await state.close();
  const again = await State.open(path, { onLoss });
  expect(entriesOf(again, 'a')).toEqual(whole);
  await again.close();
});

test('applies a change immediately, even after failed writes, and discards it if its own write fails', async () => {
  let failures = 2;
  const openLog: typeof AppendLog.open = async (...args) => {
    const log = await AppendLog.open(...args);
    const append = log.append.bind(log);
    log.append = (payload) => (failures-- > 0 ? Promise.reject(new Error('no space left')) : append(payload));
    return log;
  };
  const state = await State.open(path, { onLoss, openLog });
  /** Creates a value unless it exists. Concurrent calls must not both succeed. */
  const create = async (key: string, value: string): Promise<boolean> => {
    if (state.get('a', key) !== undefined) return false;
    await state.write(['a', key, value]);
    return true;
  };
  await expect(create('lost', '1')).rejects.toThrow('no space left');
  await expect(Promise.all([create('lost too', '1'), create('lost as well', '2')])).rejects.toThrow('no space left');
  expect(await Promise.all([create('key', '1'), create('key', '2'), create('other', '3')])).toEqual([
    true,
    false,
    true,
  ]);
  const whole = [
    ['key', '1'],
    ['other', '3'],
  ];
  expect(entriesOf(state, 'a')).toEqual(whole);
  await state.close();
  const again = await State.open(path, { onLoss });
  expect(entriesOf(again, 'a')).toEqual(whole);
  await again.close();
});

test('reports a corrupt byte and loses at most one write, whether or not the file needs a repair', async () => {
  const state = await State.open(path, { onLoss });
  for (const key of ['1', '2', '3']) await state.write(['a', key, `value ${key}`]);
  await state.close();
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    writeFileSync(path, damaged);
    const losses: string[] = [];
    const open = (repair: boolean): Promise<State> =>
      State.open(path, { onLoss: ({ message }) => losses.push(message), repair });
    const outcome = await open(false).catch((error: unknown) => error);
    if (outcome instanceof DamagedLogError) expect(readFileSync(path)).toEqual(damaged);
    const left = outcome instanceof DamagedLogError ? await open(true) : (outcome as State);
    expect(entriesOf(left, 'a').length).toBe(at < FILE_HEADER_BYTES ? 3 : 2);
    expect(losses).toHaveLength(1);
    await left.close();
    rmSync(root, { recursive: true });
    mkdirSync(root);
  }
});

test('restores every complete write of a truncated file and reports the removed bytes', async () => {
  const ends: number[] = [FILE_HEADER_BYTES];
  const state = await State.open(path, { onLoss });
  for (const key of ['1', '2', '3']) {
    await state.write(['a', key, `value ${key}`]);
    ends.push(readFileSync(path).length);
  }
  await state.close();
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    rmSync(root, { recursive: true });
    mkdirSync(root);
    writeFileSync(path, whole.subarray(0, length));
    const losses: string[] = [];
    const left = await State.open(path, { onLoss: ({ message }) => losses.push(message) });
    expect(entriesOf(left, 'a')).toHaveLength(ends.slice(1).filter((end) => end <= length).length);
    expect(losses).toHaveLength(ends.includes(length) ? 0 : 1);
    await left.close();
  }
});

test('removes replaced values that were written before a restart', async () => {
  const text = 'x'.repeat(1_000);
  const first = await State.open(path, { onLoss });
  // Three quarters of the minimum size at which a file is compacted.
  for (let i = 0; i < 750; i += 1) void first.write(['a', 'same', `${i} ${text}`]);
  await first.close();
  const second = await State.open(path, { onLoss });
  for (let i = 0; i < 750; i += 1) void second.write(['a', 'same', `${i} ${text}`]);
  await second.close();
  expect(statSync(path).size).toBeLessThan(800_000);
});
