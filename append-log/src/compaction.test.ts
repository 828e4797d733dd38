import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendLog } from './index.js';
import { disk } from './disk.js';

const real = { ...disk };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'append-log-'));
  path = join(folder, 'log');
});

afterEach(async () => {
  Object.assign(disk, real);
  await rm(folder, { recursive: true });
});

const bytes = (text: string): Buffer => Buffer.from(text);
const onLoss = (): void => undefined;
const open = (): Promise<AppendLog> => AppendLog.open(path, { onRecord: () => undefined, onLoss });

async function readRecords(): Promise<string[]> {
  const records: string[] = [];
  const log = await AppendLog.open(path, { onRecord: (payload) => records.push(payload.toString()), onLoss });
  await log.close();
  return records;
}

/**
 * Simulates a power loss after `steps` disk operations. Returns a function that returns the number of completed
 * operations.
 */
function cutAfter(steps: number): () => number {
  let done = 0;
  const step =
    <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      if (done >= steps) return Promise.reject(new Error('simulated power loss'));
      done++;
      return operation(...args);
    };
  disk.open = step(real.open);
  disk.openToAppend = step(real.openToAppend);
  disk.append = step(real.append);
  disk.write = step(real.write);
  disk.sync = step(real.sync);
  disk.truncate = step(real.truncate);
  disk.rename = step(real.rename);
  disk.syncDirectory = step(real.syncDirectory);
  disk.remove = step(real.remove);
  return () => done;
}

describe('compaction', () => {
  test('replaces earlier records, including queued ones, and keeps later ones', async () => {
    const log = await open();
    await log.append(bytes('old'));
    const queued = log.append(bytes('queued'));
    const compacted = log.compact([bytes('snapshot')]);
    const after = log.append(bytes('after'));
    await Promise.all([queued, compacted, after]);
    await log.append(bytes('last'));
    await log.close();
    expect((await stat(path)).size).toBe(log.size);
    expect(await readRecords()).toEqual(['snapshot', 'after', 'last']);
    expect(await readdir(folder)).toEqual(['log']);
  });

  test('keeps every record appended while it runs, once and in order', async () => {
    const log = await open();
    for (let n = 0; n < 100; n++) void log.append(bytes(`old ${n}`));
    async function* snapshot(): AsyncGenerator<Buffer> {
      for (let n = 0; n < 200; n++) {
        yield Buffer.alloc(20_000, 'x');
        if (n % 10 === 0) await new Promise(setImmediate);
      }
    }
    const appended: string[] = [];
    let running = true;
    const compacted = log.compact(snapshot()).finally(() => (running = false));
    while (running) {
      const group = Array.from({ length: 20 }, (_, n) => `new ${appended.length + n}`);
      appended.push(...group);
      await Promise.all(group.map((record) => log.append(bytes(record))));
    }
    await compacted;
    await log.close();
    expect(appended.length).toBeGreaterThan(20);
    expect((await readRecords()).slice(200)).toEqual(appended);
  });

  test('does not change the log if the snapshot fails, and can be retried', async () => {
    const log = await open();
    await log.append(bytes('one'));
    const broken = function* (): Generator<Buffer> {
      yield bytes('half');
      throw new Error('no snapshot');
    };
    await expect(log.compact(broken())).rejects.toThrow('no snapshot');
    expect(await readdir(folder)).toEqual(['log']);
    await log.append(bytes('two'));
    await log.compact([bytes('both')]);
    await log.close();
    expect(await readRecords()).toEqual(['both']);
  });

  test('rejects a concurrent compaction', async () => {
    const log = await open();
    const first = log.compact([bytes('a')]);
    await expect(log.compact([bytes('b')])).rejects.toThrow('already');
    await first;
    await log.close();
    expect(await readRecords()).toEqual(['a']);
  });

  test('is awaited by close', async () => {
    const log = await open();
    await log.append(bytes('old'));
    const compacted = log.compact([bytes('new')]);
    await log.close();
    await compacted;
    expect(await readRecords()).toEqual(['new']);
  });

  test('loses no acknowledged record on a power loss at any step', async () => {
    let finished = false;
    for (let steps = 0; !finished; steps++) {
      await rm(path, { force: true });
      const log = await open();
      await Promise.all([log.append(bytes('1')), log.append(bytes('2'))]);
      const done = cutAfter(steps);
      const acknowledged: string[] = [];
      const append = (record: string): Promise<unknown> =>
        log.append(bytes(record)).then(
          () => acknowledged.push(record),
          () => undefined,
        );
      const compacted = log.compact([bytes('1+2')]).then(
        () => true,
        () => false,
      );
      await Promise.all([append('3'), append('4'), compacted]);
      await append('5');
      finished = (await compacted) && acknowledged.length === 3 && done() < steps;
      await log.close().catch(() => undefined);
      Object.assign(disk, real);

      const records = await readRecords();
      const head = records[0] === '1+2' ? ['1+2'] : ['1', '2'];
      expect(records.slice(0, head.length)).toEqual(head);
      const rest = records.slice(head.length);
      // Each acknowledged record is present once and in order. The last group may be present although it was not
      // acknowledged.
      expect(rest.slice(0, acknowledged.length)).toEqual(acknowledged);
      expect(['3', '4', '5'].slice(0, rest.length)).toEqual(rest);
      for (const name of await readdir(folder)) expect(name).toMatch(/^log(\.torn\.\d+)?$/);
    }
  });

  test('does not write rejected records if the log recovers during a compaction', async () => {
    const log = await open();
    await log.append(bytes('1'));
    let proceed = (): void => undefined;
    async function* snapshot(): AsyncGenerator<Buffer> {
      yield bytes('1 and refused');
      await new Promise<void>((resolve) => (proceed = resolve));
    }
    disk.append = () => Promise.reject(new Error('no space left'));
    const refused = log.append(bytes('refused'));
    const compacted = log.compact(snapshot());
    await expect(refused).rejects.toThrow('no space left');
    disk.append = real.append;
    const recovered = log.recover(() => undefined);
    setTimeout(() => proceed(), 20);
    await expect(compacted).rejects.toThrow('no space left');
    await recovered;
    await log.append(bytes('2'));
    await log.close();
    expect(await readRecords()).toEqual(['1', '2']);
  });
});

describe('creation', () => {
  test('leaves no file, or one with all of its initial records, on a power loss at any step', async () => {
    let finished = false;
    for (let steps = 0; !finished; steps++) {
      await rm(path, { force: true });
      cutAfter(steps);
      const creating = AppendLog.open(path, { onRecord: () => undefined, onLoss, initial: [bytes('a'), bytes('b')] });
      const log = await creating.catch(() => undefined);
      Object.assign(disk, real);
      finished = log !== undefined;
      await log?.close();
      if ((await readdir(folder)).includes('log')) expect(await readRecords()).toEqual(['a', 'b']);
    }
  });
});
