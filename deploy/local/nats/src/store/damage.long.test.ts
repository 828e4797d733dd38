import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DamagedLogError } from '@tautan/append-log';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageStore } from './message-store.js';
import { MetaLog, type MetaRecord } from './meta-log.js';
import { clearStrays } from './strays.js';

let folder: string;
let errors: string[];
const onError = (error: Error): void => void errors.push(error.message);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damage-'));
  errors = [];
});

afterEach(() => rm(folder, { recursive: true }));

const open = (repair = false): Promise<MessageStore> => MessageStore.open({ folder, repair, onError });

const contents = (store: MessageStore): string[] =>
  [...store.slots()].map((slot) => `${slot.seq} ${store.read(slot).payload.toString()}`);

async function emptyFolder(): Promise<void> {
  errors = [];
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

/** Adds a message and returns its sequence when it is on disk. */
async function add(store: MessageStore, text: string): Promise<number> {
  const { slot, stored } = store.append('s', undefined, Buffer.from(text));
  await stored;
  return slot.seq;
}

const segment = (n: number): string => join(folder, `${String(n).padStart(10, '0')}.log`);
const messages = ['1 one', '2 two', '3 three', '4 four'];
/**
 * Offset of the first message. It follows the file header (8 bytes) and the base record, which consists of a frame
 * header (8 bytes), a kind (1 byte) and a sequence (8 bytes).
 */
const baseEnd = 8 + 8 + 1 + 8;

/** Returns the contents of an intact segment file with `messages`. */
async function aSegment(): Promise<Buffer> {
  await emptyFolder();
  const store = await open();
  for (const message of messages) await add(store, message.slice(2));
  await store.close();
  return readFile(segment(1));
}

test('a stream file with any byte changed is rejected, repaired or truncated, and every loss is reported', async () => {
  const whole = await aSegment();
  for (let at = 0; at < whole.length; at++) {
    await emptyFolder();
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    await writeFile(segment(1), damaged);
    const opened = await open().catch((error: unknown) => error);
    if (opened instanceof DamagedLogError) expect(await readFile(segment(1))).toEqual(damaged);
    else await (opened as MessageStore).close();
    const store = opened instanceof DamagedLogError ? await open(true) : await open();
    const left = contents(store);
    expect(messages.filter((message) => !left.includes(message)).length).toBeLessThanOrEqual(1);
    expect(errors).toHaveLength(1);
    // Sequences never decrease, and new messages are found at the next start.
    expect(await add(store, 'new')).toBeGreaterThan(4);
    const now = contents(store);
    await store.close();
    const again = await open();
    expect(contents(again)).toEqual(now);
    await again.close();
  }
});

test('a truncated stream file keeps its complete messages; a cut inside a header or record is reported', async () => {
  const whole = await aSegment();
  // Offsets of the ends of the base record and of each message. A message consists of a frame header (8 bytes), a
  // message header (23 bytes), its subject (1 byte), and its text.
  const ends = messages.reduce((all, text) => [...all, all.at(-1)! + 8 + 23 + 1 + text.length - 2], [baseEnd]);
  for (let length = 0; length < whole.length; length++) {
    await emptyFolder();
    await writeFile(segment(1), whole.subarray(0, length));
    const store = await open();
    expect(contents(store)).toEqual(messages.filter((_, n) => ends[n + 1]! <= length));
    const isBetweenRecords = length === 8 || ends.includes(length);
    expect(errors).toHaveLength(isBetweenRecords ? 0 : 1);
    await store.close();
  }
});

test('a file without its base record keeps its messages across restarts', async () => {
  const whole = await aSegment();
  await writeFile(segment(1), whole.subarray(0, baseEnd));
  // An earlier version wrote such files, without a base record before the messages.
  await writeFile(segment(2), Buffer.concat([whole.subarray(0, 8), whole.subarray(baseEnd)]));
  for (let start = 1; start <= 3; start++) {
    const store = await open();
    expect(contents(store).slice(0, 4)).toEqual(messages);
    expect(store.slot(2)?.seq).toBe(2);
    expect(await add(store, 'new')).toBe(4 + start);
    await store.close();
  }
});

const stream = (id: number): MetaRecord => ({ kind: 'stream', id, stream: { name: `S${id}` } });

async function aMetaLog(...records: MetaRecord[]): Promise<void> {
  const meta = await MetaLog.open(join(folder, 'meta.log'), onError);
  for (const record of records) await meta.write(record);
  await meta.close();
}

async function aStreamFolder(id: number): Promise<void> {
  const store = await MessageStore.open({ folder: join(folder, 'streams', String(id)), onError });
  await add(store, 'kept');
  await store.close();
}

test('a changed byte of the meta log never deletes a stream', async () => {
  await aMetaLog(stream(1), stream(2));
  const whole = await readFile(join(folder, 'meta.log'));
  for (let at = 0; at < whole.length; at++) {
    await emptyFolder();
    for (const id of [1, 2]) await aStreamFolder(id);
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    await writeFile(join(folder, 'meta.log'), damaged);
    const opened = await MetaLog.open(join(folder, 'meta.log'), onError).catch((error: unknown) => error);
    const repair = opened instanceof DamagedLogError;
    const meta = repair ? await MetaLog.open(join(folder, 'meta.log'), onError, true) : (opened as MetaLog);
    await clearStrays(folder, meta, onError);
    await meta.close();
    const lost = await readdir(join(folder, 'lost-streams')).catch(() => []);
    expect((await readdir(join(folder, 'streams'))).length + lost.length).toBe(2);
    expect(errors).toHaveLength(1 + lost.length);
  }
});

test('a meta log truncated at any byte never deletes a stream', async () => {
  await aMetaLog(stream(1), stream(2));
  const whole = await readFile(join(folder, 'meta.log'));
  for (let length = 0; length < whole.length; length++) {
    await emptyFolder();
    for (const id of [1, 2]) await aStreamFolder(id);
    await writeFile(join(folder, 'meta.log'), whole.subarray(0, length));
    const meta = await MetaLog.open(join(folder, 'meta.log'), onError);
    await clearStrays(folder, meta, onError);
    await meta.close();
    const lost = await readdir(join(folder, 'lost-streams')).catch(() => []);
    expect((await readdir(join(folder, 'streams'))).length + lost.length).toBe(2);
    // A truncation after a complete record is not detectable, but a stream without a record is reported.
    expect(errors.length).toBeGreaterThanOrEqual(1);
  }
});

test('a compaction keeps the ids of deleted streams, so that they are neither reused nor reported as lost', async () => {
  const path = join(folder, 'meta.log');
  await aMetaLog(stream(1), stream(2), stream(3), { kind: 'streamGone', id: 2 }, { kind: 'streamGone', id: 3 });
  for (const id of [1, 2]) await aStreamFolder(id);
  let meta = await MetaLog.open(path, onError);
  const large: MetaRecord = { kind: 'stream', id: 1, stream: { name: 'S1', description: 'x'.repeat(1024 * 1024) } };
  for (let n = 0; n < 5; n++) await meta.write(large);
  await meta.close();
  expect((await stat(path)).size).toBeLessThan(3 * 1024 * 1024);
  meta = await MetaLog.open(path, onError);
  expect(meta.lastId).toBe(3);
  await clearStrays(folder, meta, onError);
  await meta.close();
  expect(await readdir(join(folder, 'streams'))).toEqual(['1']);
  expect(errors).toEqual([]);
});

test('a lost stream is kept under an unused name, even if an earlier lost stream was removed', async () => {
  await aMetaLog();
  await aStreamFolder(1);
  await mkdir(join(folder, 'lost-streams', '1.2'), { recursive: true });
  await writeFile(join(folder, 'lost-streams', '1.2', 'file'), '');
  const meta = await MetaLog.open(join(folder, 'meta.log'), onError);
  await clearStrays(folder, meta, onError);
  await meta.close();
  expect(await readdir(join(folder, 'lost-streams'))).toEqual(['1.2', '1.3']);
});

test('removes folders of streams that were deleted or never fully created', async () => {
  await aMetaLog(stream(1), { kind: 'streamGone', id: 1 });
  await aStreamFolder(1);
  await (await MessageStore.open({ folder: join(folder, 'streams', '2'), onError })).close();
  const meta = await MetaLog.open(join(folder, 'meta.log'), onError);
  await clearStrays(folder, meta, onError);
  await meta.close();
  expect(await readdir(join(folder, 'streams'))).toEqual([]);
  expect(await readdir(folder)).not.toContain('lost-streams');
});
