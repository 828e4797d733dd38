import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { constants, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendLog, type Loss, type OpenOptions } from './index.js';
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

async function openLog(
  options: Partial<OpenOptions> = {},
): Promise<{ log: AppendLog; records: string[]; losses: Loss[] }> {
  const [records, losses]: [string[], Loss[]] = [[], []];
  const log = await AppendLog.open(path, {
    onRecord: (payload) => records.push(payload.toString()),
    onLoss: (loss) => losses.push(loss),
    ...options,
  });
  return { log, records, losses };
}

/** Returns the records that a new process would replay. */
async function replayedRecords(): Promise<string[]> {
  const { log, records } = await openLog();
  await log.close();
  return records;
}

async function fileOf(...records: string[]): Promise<Buffer> {
  const { log } = await openLog();
  await Promise.all(records.map((record) => log.append(bytes(record))));
  await log.close();
  return readFile(path);
}

describe('appending', () => {
  test('stores every record in order, including empty ones', async () => {
    await fileOf('one', '', 'three', 'x'.repeat(100_000));
    expect(await replayedRecords()).toEqual(['one', '', 'three', 'x'.repeat(100_000)]);
  });

  test('acknowledges records in order and counts queued bytes in the size', async () => {
    const { log } = await openLog();
    const order: number[] = [];
    const all = Array.from({ length: 50 }, (_, n) => log.append(bytes('ab')).then(() => order.push(n)));
    expect(log.size).toBe(8 + 50 * 10);
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 50 }, (_, n) => n));
    await log.close();
    expect((await stat(path)).size).toBe(log.size);
  });

  test('writes all records queued during a write as one group and acknowledges them after its sync', async () => {
    const steps: string[] = [];
    disk.append = async (handle, buffers, position, sync) => {
      steps.push(`write ${buffers.length / 2}`);
      const bytes = await real.append(handle, buffers, position, sync);
      steps.push(sync ? 'synced' : 'written');
      return bytes;
    };
    const { log } = await openLog();
    steps.length = 0;
    const first = log.append(bytes('1')).then(() => steps.push('acknowledged 1'));
    await new Promise(setImmediate);
    const rest = ['2', '3', '4'].map((text) => log.append(bytes(text)).then(() => steps.push(`acknowledged ${text}`)));
    await Promise.all([first, ...rest]);
    expect(steps).toEqual([
      ...['write 1', 'synced', 'acknowledged 1'],
      ...['write 3', 'synced', 'acknowledged 2', 'acknowledged 3', 'acknowledged 4'],
    ]);
    await log.close();
  });

  test('rejects a record over the limit and continues', async () => {
    const { log } = await openLog({ maxPayloadBytes: 10 });
    await expect(log.append(bytes('x'.repeat(11)))).rejects.toThrow(RangeError);
    await log.append(bytes('x'.repeat(10)));
    await log.close();
    expect(await replayedRecords()).toEqual(['x'.repeat(10)]);
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux.each([
    [true, 1],
    [false, 0],
  ])('opens a handle with O_DSYNC only if sync is true (%s)', async (sync, handles) => {
    const { log } = await openLog({ sync });
    const isSynced = (fd: string): boolean => {
      const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))![1]!;
      return (parseInt(flags, 8) & constants.O_DSYNC) !== 0;
    };
    const isOurs = (fd: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false; // closed since the folder was read
      }
    };
    expect(readdirSync('/proc/self/fd').filter((fd) => isOurs(fd) && isSynced(fd))).toHaveLength(handles);
    await log.close();
  });

  test('rejects the failed group and every later append with the error of the disk', async () => {
    const { log } = await openLog();
    await log.append(bytes('kept'));
    disk.append = () => Promise.reject(new Error('no space left'));
    await expect(log.append(bytes('lost'))).rejects.toThrow('no space left');
    disk.append = real.append;
    await expect(log.append(bytes('later'))).rejects.toThrow('no space left');
    await expect(log.close()).rejects.toThrow('no space left');
    expect(await replayedRecords()).toEqual(['kept']);
  });

  /** Simulates a disk that becomes full after two records of the next group. */
  function failAfterTwoRecords(): void {
    disk.append = async (handle, buffers, position) => {
      await real.write(handle, buffers.slice(0, 4), position);
      throw new Error('no space left');
    };
  }

  test('removes rejected records from the file, even if partly written', async () => {
    const { log } = await openLog();
    await log.append(bytes('kept'));
    failAfterTwoRecords();
    const refused = ['a', 'b', 'c'].map((text) => log.append(bytes(text)));
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
    expect((await stat(path)).size).toBe(8 + 12);
    await log.close().catch(() => undefined);
    expect(await replayedRecords()).toEqual(['kept']);
  });

  test('is possible again after a disk failure once recover() has replayed the acknowledged records', async () => {
    const { log } = await openLog();
    await log.append(bytes('kept'));
    failAfterTwoRecords();
    disk.truncate = () => Promise.reject(new Error('still failing'));
    const refused = ['a', 'b', 'c'].map((text) => log.append(bytes(text)));
    await Promise.allSettled(refused);
    const replayed: string[] = [];
    await expect(log.recover((payload) => replayed.push(payload.toString()))).rejects.toThrow('still failing');
    await expect(log.append(bytes('refused'))).rejects.toThrow('no space left');
    Object.assign(disk, real);
    await log.recover((payload) => replayed.push(payload.toString()));
    expect(replayed).toEqual(['kept']);
    expect(log.size).toBe(8 + 12);
    await log.append(bytes('after'));
    await log.close();
    expect(await replayedRecords()).toEqual(['kept', 'after']);
  });

  test('ends with close(), which has the same outcome for all callers', async () => {
    const { log } = await openLog();
    const order: string[] = [];
    void log.append(bytes('last')).then(() => order.push('written'));
    await Promise.all([log.close(), log.close().then(() => order.push('closed'))]);
    expect(order).toEqual(['written', 'closed']);
    const { log: failed } = await openLog();
    disk.append = () => Promise.reject(new Error('no space left'));
    await expect(failed.append(bytes('lost'))).rejects.toThrow('no space left');
    for (let n = 0; n < 2; n++) await expect(failed.close()).rejects.toThrow('no space left');
  });

  test('is rejected after close(), which flushes queued records', async () => {
    const { log } = await openLog();
    const last = log.append(bytes('last'));
    await log.close();
    await last;
    await expect(log.append(bytes('more'))).rejects.toThrow('closed');
    expect(await replayedRecords()).toEqual(['last']);
  });
});

describe('opening', () => {
  test('removes a tail torn at any byte and appends after the last complete record', async () => {
    const whole = await fileOf('first', 'second', 'third');
    const lastStart = whole.length - 8 - 'third'.length;
    /** End offsets of the three records. */
    const ends = [21, 35, 48];
    for (let length = 0; length < whole.length; length++) {
      await writeFile(path, whole.subarray(0, length));
      const { log, records, losses } = await openLog();
      const survivors = ['first', 'second', 'third'].filter((_, n) => ends[n]! <= length);
      expect(records).toEqual(survivors);
      if (length > lastStart) expect(losses[0]!.ranges).toEqual([{ offset: lastStart, bytes: length - lastStart }]);
      await log.append(bytes('new'));
      await log.close();
      expect(await replayedRecords()).toEqual([...survivors, 'new']);
    }
  });

  test('removes a tail of zeros, and a tail with an invalid record length', async () => {
    await fileOf('first');
    await appendFile(path, Buffer.alloc(4096));
    const zeros = await openLog();
    expect(zeros.records).toEqual(['first']);
    expect(zeros.losses[0]!.ranges).toEqual([{ offset: 21, bytes: 4096 }]);
    await zeros.log.close();
    await appendFile(path, Buffer.alloc(20, 0xff));
    expect(await replayedRecords()).toEqual(['first']);
  });

  test('rejects a file that is not a log and does not change it', async () => {
    await writeFile(path, 'precious words');
    await expect(openLog()).rejects.toThrow('is not an append log');
    expect(await readFile(path, 'utf8')).toBe('precious words');
  });

  test('rejects if onRecord throws, and does not change the file', async () => {
    const whole = await fileOf('first');
    const onRecord = (): void => {
      throw new Error('unknown record');
    };
    await expect(AppendLog.open(path, { onRecord, onLoss })).rejects.toThrow('unknown record');
    expect(await readFile(path)).toEqual(whole);
  });

  test('reads records that span several chunks of 4 MiB', async () => {
    const { log } = await openLog();
    const lengths = [5_000_000, 1, 4_194_304 - 20, 3, 9_000_000, 7];
    await Promise.all(lengths.map((length, n) => log.append(Buffer.alloc(length, n))));
    await log.close();
    const replayed: [number, number | undefined][] = [];
    const again = await AppendLog.open(path, {
      onRecord: (payload) => replayed.push([payload.length, payload.at(-1)]),
      onLoss,
    });
    await again.close();
    expect(replayed).toEqual(lengths.map((length, n) => [length, n]));
  });

  test('replays a million small records within seconds', async () => {
    const { log } = await openLog({ sync: false });
    const payload = Buffer.alloc(40, 7);
    for (let n = 0; n < 1_000_000; n += 10_000) {
      const group = Array.from({ length: 10_000 }, () => log.append(payload));
      await group.at(-1);
    }
    await log.close();
    let count = 0;
    const start = performance.now();
    await (await AppendLog.open(path, { onRecord: () => count++, onLoss })).close();
    expect(count).toBe(1_000_000);
    // About 0.4 s on one core; the bound allows for a busy machine.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
