import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disk } from './disk.js';
import { AppendLog, DamagedLogError, readLog, type Loss, type OpenOptions } from './index.js';

const real = { ...disk };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'append-log-damage-'));
  path = join(folder, 'log');
});

afterEach(async () => {
  Object.assign(disk, real);
  await rm(folder, { recursive: true });
});

interface Opened {
  records: string[];
  losses: Loss[];
}

/** Opens the log, appends `more` and closes it. Returns the records and losses found when it was opened. */
async function open(options: Partial<OpenOptions> = {}, ...more: string[]): Promise<Opened> {
  const opened: Opened = { records: [], losses: [] };
  const log = await AppendLog.open(path, {
    onRecord: (payload) => opened.records.push(payload.toString()),
    onLoss: (loss) => opened.losses.push(loss),
    ...options,
  });
  await Promise.all(more.map((record) => log.append(Buffer.from(record))));
  await log.close();
  return opened;
}

const records = ['first', '', 'third '.repeat(8), '4', 'the fifth'];
/** Offsets of the records, and the end of the last one. */
const starts = records.reduce((all, record) => [...all, all.at(-1)! + 8 + record.length], [8]);

async function wholeLog(): Promise<Buffer> {
  await open({}, ...records);
  const bytes = await readFile(path);
  expect(bytes.length).toBe(starts.at(-1));
  return bytes;
}

function flipped(bytes: Buffer, at: number, mask = 0x08): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[at]! ^= mask;
  return damaged;
}

async function replaceBy(bytes: Buffer): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await writeFile(path, bytes);
}

const removed = (losses: Loss[]): number =>
  losses.flatMap(({ ranges }) => ranges).reduce((sum, { bytes }) => sum + bytes, 0);

describe('damage followed by complete records', () => {
  test('is rejected with file, offset, number of later records and instructions, and nothing is changed', async () => {
    const damaged = flipped(await wholeLog(), starts[2]! + 30);
    await replaceBy(damaged);
    const error = await open().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DamagedLogError);
    expect(error).toMatchObject({ path, offset: starts[2], recordsAfter: 2 });
    expect((error as Error).message).toBe(
      `${path} is damaged at offset ${starts[2]}, and 2 complete records can be read after the damage. Nothing was changed. ` +
        'Restore the file from a backup, or start once with --repair: that preserves every complete record and a copy of the file.',
    );
    expect(await readdir(folder)).toEqual(['log']);
    expect(await readFile(path)).toEqual(damaged);
  });

  test('is repaired: the file is copied, complete records are preserved, the rest is reported', async () => {
    const damaged = flipped(await wholeLog(), starts[2]! + 30);
    await replaceBy(damaged);
    const { records: kept, losses } = await open({ repair: true }, 'new');
    expect(kept).toEqual(records.toSpliced(2, 1));
    const copiedTo = `${path}.damaged.1`;
    expect(losses).toEqual([
      {
        path,
        ranges: [{ offset: starts[2], bytes: 56 }],
        copiedTo,
        message: `${path}: repaired; removed 56 bytes at offset ${starts[2]} and preserved 2 records after the damage; the original file was copied to ${copiedTo}`,
      },
    ]);
    expect(await readFile(copiedTo)).toEqual(damaged);
    expect(await open()).toEqual({ records: [...kept, 'new'], losses: [] });
  });

  test('is repaired, with one copy of the file per repair', async () => {
    const whole = await wholeLog();
    for (const n of [1, 2]) {
      const damaged = flipped(whole, starts[n]! + 5);
      await writeFile(path, damaged);
      await open({ repair: true });
      expect(await readFile(`${path}.damaged.${n}`)).toEqual(damaged);
    }
  });

  test('is repaired: a record that depends on a lost one is also removed and reported', async () => {
    await replaceBy(flipped(await wholeLog(), starts[1]! + 5));
    const accepted: string[] = [];
    const onRecord = (payload: Buffer): void => {
      if (payload.toString() === '4') throw new Error('needs another');
      accepted.push(payload.toString());
    };
    const { losses } = await open({ repair: true, onRecord });
    const remaining = [records[0]!, records[2]!, records[4]!];
    expect(accepted).toEqual(remaining);
    expect(losses[0]!.ranges).toEqual([
      { offset: starts[1], bytes: 8 },
      { offset: starts[3], bytes: 9 },
    ]);
    expect((await open()).records).toEqual(remaining);
  });

  test('is found if it consists of many zeros, or is in the header of the file', async () => {
    const whole = await wholeLog();
    const zeros = Buffer.concat([whole.subarray(0, starts[1]), Buffer.alloc(3_000_000), whole.subarray(starts[3])]);
    await replaceBy(zeros);
    await expect(open()).rejects.toMatchObject({ offset: starts[1], recordsAfter: 2 });
    await replaceBy(flipped(whole, 2));
    await expect(open()).rejects.toMatchObject({ offset: 0, recordsAfter: 5 });
    expect((await open({ repair: true })).records).toEqual(records);
  });

  test('is found within seconds if many bytes look like the start of a long record', async () => {
    const whole = await wholeLog();
    // The little-endian 32-bit number 60,138 at every fourth byte.
    const numbers = Buffer.alloc(500_000, Buffer.from([0xea, 0xea, 0, 0]));
    await replaceBy(Buffer.concat([whole.subarray(0, starts[1]), numbers, whole.subarray(starts[3])]));
    const start = performance.now();
    await expect(open()).rejects.toMatchObject({ offset: starts[1], recordsAfter: 2 });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('is repaired so that a power loss at any step leaves the old file or the repaired one', async () => {
    const damaged = flipped(await wholeLog(), starts[2]! + 30);
    const remaining = records.toSpliced(2, 1);
    for (let steps = 0, repaired = false; !repaired; steps++) {
      await replaceBy(damaged);
      let left = steps;
      for (const [name, operation] of Object.entries(real) as [keyof typeof disk, (...args: never[]) => unknown][])
        Object.assign(disk, {
          [name]: (...args: never[]) =>
            left-- > 0 ? operation(...args) : Promise.reject(new Error('simulated power loss')),
        });
      repaired = await open({ repair: true }).then(
        () => true,
        () => false,
      );
      Object.assign(disk, real);
      const current = await readFile(path);
      if (current.equals(damaged)) await expect(open()).rejects.toThrow(DamagedLogError);
      else expect(await open()).toEqual({ records: remaining, losses: [] });
      expect((await open({ repair: true })).records).toEqual(remaining);
    }
  });
});

describe('a torn tail', () => {
  test('is copied to a file, removed and reported', async () => {
    const whole = await wholeLog();
    await replaceBy(whole.subarray(0, whole.length - 3));
    const { records: left, losses } = await open();
    expect(left).toEqual(records.slice(0, 4));
    const copiedTo = `${path}.torn.1`;
    const message = `${path}: removed an incomplete or damaged record of 14 bytes at offset ${starts[4]}; its bytes were copied to ${copiedTo}`;
    expect(losses).toEqual([{ path, ranges: [{ offset: starts[4], bytes: 14 }], copiedTo, message }]);
    expect(await readFile(copiedTo)).toEqual(whole.subarray(starts[4], whole.length - 3));
    expect(await readFile(path)).toEqual(whole.subarray(0, starts[4]));
  });

  test('is removed even on a full disk, and the report says that it could not be copied', async () => {
    const whole = await wholeLog();
    await replaceBy(whole.subarray(0, whole.length - 3));
    disk.create = () => Promise.reject(new Error('no space left'));
    const { records: left, losses } = await open();
    expect(left).toEqual(records.slice(0, 4));
    expect(losses[0]!.message).toMatch(/its bytes could not be copied: no space left$/);
    expect(await readdir(folder)).toEqual(['log']);
  });
});

test('readLog reads records up to the maximum record size of the log', async () => {
  const maxPayloadBytes = 65 * 1024 * 1024;
  const log = await AppendLog.open(path, { onRecord: () => {}, onLoss: () => {}, maxPayloadBytes });
  await log.append(Buffer.alloc(maxPayloadBytes));
  await log.close();
  const lengths: number[] = [];
  const onRecord = (payload: Buffer): void => void lengths.push(payload.length);
  expect(await readLog(path, onRecord, { maxPayloadBytes })).toEqual([]);
  expect(lengths).toEqual([maxPayloadBytes]);
});

describe('every loss is reported', () => {
  test('if any byte of the file is changed', async () => {
    const whole = await wholeLog();
    for (let at = 0; at < whole.length; at++) {
      const damaged = flipped(whole, at, 1 << (at % 8));
      const damagedIndex = starts.findLastIndex((start) => start <= at);
      const others = damagedIndex < 0 ? records : records.toSpliced(damagedIndex, 1);
      await replaceBy(damaged);
      const read: string[] = [];
      expect(await readLog(path, (payload) => read.push(payload.toString()))).not.toEqual([]);
      expect(read).toEqual(others);

      const plain = await open().catch((error: unknown) => error as DamagedLogError);
      if (damagedIndex === records.length - 1) {
        expect(plain).toMatchObject({ records: others, losses: [{ ranges: [{ offset: starts[damagedIndex] }] }] });
        continue;
      }
      expect(plain).toMatchObject({ name: 'DamagedLogError', offset: Math.max(0, starts[damagedIndex] ?? 0) });
      expect(await readFile(path)).toEqual(damaged);
      const { records: kept, losses } = await open({ repair: true }, 'new');
      expect(kept).toEqual(others);
      expect(removed(losses)).toBe(damagedIndex < 0 ? 8 : 8 + records[damagedIndex]!.length);
      expect(await open()).toEqual({ records: [...others, 'new'], losses: [] });
    }
  }, 120_000);

  test('if the file is truncated at any byte except at the end of the header or of a record', async () => {
    const whole = await wholeLog();
    for (let length = 0; length < whole.length; length++) {
      await replaceBy(whole.subarray(0, length));
      const end = starts.findLast((start) => start <= length) ?? 0;
      const survivors = records.filter((_, n) => starts[n + 1]! <= length);
      const { records: left, losses } = await open();
      expect(left).toEqual(survivors);
      // A file that ends with a complete record cannot be distinguished from an untruncated one.
      if (length === end && end > 0) expect(losses).toEqual([]);
      else expect(losses.map(({ ranges }) => ranges)).toEqual([[{ offset: end, bytes: length - end }]]);
    }
  });
});
