import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppendLog } from '@tautan/append-log';
import { createLog, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import type { Batch } from './batch-builder.js';
import { thisProcess } from './owner.js';
import { Segment } from './segment.js';
import { SpillFolder } from './spill-folder.js';
import { Spill } from './spill.js';

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'tautan-spill-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

/** Size of the header of a segment file. */
const HEADER_BYTES = 8;
const log = createLog('test', 'silent');
const aBatch = (): Batch => ({ id: newUlid(), partition: 7, payload: Buffer.from(`{"at":${Math.random()}}`) });
const files = async () => (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.clicks')).sort();
const open = async () => {
  const folder = await SpillFolder.claim(root);
  return { folder, spill: new Spill(folder, log) };
};
/** Adopts the folders of dead instances. Returns the paths of their segments. */
async function adopt({ folder, spill }: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const paths: string[] = [];
  await folder.adopt((path) => {
    paths.push(path);
    spill.addAdoptedFile(path);
  });
  return paths;
}
/** Makes a folder look like that of a crashed process. The process id in its lock is above the maximum of Linux. */
const simulateCrash = ({ path }: SpillFolder) =>
  writeFile(join(path, 'lock'), JSON.stringify({ ...thisProcess(), pid: 2 ** 22 + 1 }));

describe('batches on disk', () => {
  test('are read back unchanged, oldest first, from a crashed instance', async () => {
    const { folder, spill } = await open();
    const batches = [aBatch(), aBatch(), aBatch()];
    for (const batch of batches) await spill.append(batch);
    await simulateCrash(folder);
    const next = await open();
    await adopt(next);
    expect((await next.spill.readBack())!.batches).toEqual(batches);
    expect(await next.spill.readBack()).toBeUndefined();
  });

  test('are written while the sync of an earlier one hangs, so that they survive a crash of the process', async () => {
    const { spill } = await open();
    let endSync!: () => void;
    const hangingSync = new Promise<void>((resolve) => (endSync = resolve));
    const sync = jest.spyOn(AppendLog.prototype, 'sync').mockReturnValueOnce(hangingSync);
    const batches = [aBatch(), aBatch()];
    const first = spill.append(batches[0]!);
    await until(() => sync.mock.calls.length === 1);
    const second = spill.append(batches[1]!);
    const [name] = await files();
    await until(async () => (await Segment.existing(join(root, name!)).load()).length === 2);
    expect(spill.spilled).toBe(0);
    endSync();
    await Promise.all([first, second]);
    expect(sync).toHaveBeenCalledTimes(2);
    expect(spill.spilled).toBe(2);
  });

  test('are deleted only when all batches of their file are acknowledged', async () => {
    const { spill } = await open();
    const [a, b] = [aBatch(), aBatch()];
    const segments = [await spill.append(a), await spill.append(b)];
    segments[0]!.acknowledge(a.id);
    await spill.tidy();
    expect(await files()).toHaveLength(1);
    segments[1]!.acknowledge(b.id);
    await spill.tidy();
    expect(await files()).toHaveLength(0);
  });

  test('are written to a new file after every 500', async () => {
    const { spill } = await open();
    await Promise.all(Array.from({ length: 1_001 }, () => spill.append(aBatch())));
    expect(await files()).toHaveLength(3);
    expect(spill.spilled).toBe(1_001);
  });

  test('in an unreadable file are set aside, and the others are read back', async () => {
    const { folder, spill } = await open();
    const batch = aBatch();
    await spill.append(batch);
    await writeFile(join(folder.path, '00000000000000000000000000.clicks'), 'no log at all');
    await simulateCrash(folder);
    const next = await open();
    await adopt(next);
    expect((await next.spill.readBack())!.batches).toEqual([batch]);
    expect(next.spill.defective).toEqual({ damaged: 0, unreadable: 1 });
    await next.spill.close();
    expect(await readFile(join(root, '00000000000000000000000000.clicks.defective'), 'utf8')).toBe('no log at all');
    const third = await open();
    await adopt(third);
    await third.spill.close();
    expect(await readdir(root)).toContain('00000000000000000000000000.clicks.defective');
  });

  test('are read back by the next attempt if the process had run out of file descriptors', async () => {
    const { folder, spill } = await open();
    const batch = aBatch();
    await spill.append(batch);
    await simulateCrash(folder);
    const next = await open();
    await adopt(next);
    const exhausted = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    jest.spyOn(Segment.prototype, 'load').mockRejectedValueOnce(exhausted);
    await expect(next.spill.readBack()).rejects.toThrow(exhausted);
    expect((await next.spill.readBack())!.batches).toEqual([batch]);
    expect(next.spill.defective).toEqual({ damaged: 0, unreadable: 0 });
  });

  test('are read back except the one with a changed byte, and their file is counted as damaged and kept', async () => {
    const { folder, spill } = await open();
    const batches = [aBatch(), aBatch(), aBatch(), aBatch()];
    for (const batch of batches) await spill.append(batch);
    const name = (await readdir(folder.path)).find((each) => each.endsWith('.clicks'))!;
    const whole = await readFile(join(folder.path, name));
    await spill.close();
    for (let at = 0; at < whole.length; at += 1) {
      await rm(root, { recursive: true });
      const next = await open();
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 8);
      const path = join(next.folder.path, name);
      await writeFile(path, damaged);
      next.spill.addAdoptedFile(path);
      const { segment, batches: found } = (await next.spill.readBack())!;
      expect(batches.filter(({ id }) => !found.some((batch) => batch.id === id)).length).toBe(
        at < HEADER_BYTES ? 0 : 1,
      );
      expect(next.spill.defective).toEqual({ damaged: 1, unreadable: 0 });
      for (const { id } of found) segment.acknowledge(id);
      await next.spill.tidy();
      await next.spill.close();
      expect(await readFile(join(root, `${name}.defective`))).toEqual(damaged);
    }
  });

  test('that are intact are read back from a file truncated at any byte', async () => {
    const { folder, spill } = await open();
    const batches = [aBatch(), aBatch(), aBatch()];
    const ends = [HEADER_BYTES];
    for (const batch of batches) ends.push((await spill.append(batch)).bytes);
    const name = (await readdir(folder.path)).find((each) => each.endsWith('.clicks'))!;
    const whole = await readFile(join(folder.path, name));
    for (let length = 0; length < whole.length; length += 1) {
      const next = await open();
      const path = join(next.folder.path, name);
      await writeFile(path, whole.subarray(0, length));
      next.spill.addAdoptedFile(path);
      expect((await next.spill.readBack())!.batches).toEqual(batches.filter((_, n) => ends[n + 1]! <= length));
      expect(next.spill.defective.damaged).toBe(length === 0 || ends.includes(length) ? 0 : 1);
    }
  });

  test('can no longer be added after close', async () => {
    const { spill } = await open();
    await spill.append(aBatch());
    await spill.close();
    await expect(spill.append(aBatch())).rejects.toThrow('closed');
  });
});

describe('the folder of an instance', () => {
  test('is not adopted while its process runs', async () => {
    const first = await open();
    await first.spill.append(aBatch());
    const second = await open();
    expect(await adopt(second)).toEqual([]);
  });

  test('is adopted immediately after its release, by exactly one instance', async () => {
    const first = await open();
    await first.spill.append(aBatch());
    await first.spill.close();
    const others = await Promise.all([open(), open(), open()]);
    const adopted = await Promise.all(others.map(adopt));
    expect(adopted.flat()).toHaveLength(1);
  });

  test('always has a complete lock, so that it can be adopted after a crash at any moment', async () => {
    const { folder } = await open();
    let running = true;
    const creatingSegments = (async () => {
      for (let i = 0; i < 200; i += 1) await folder.newSegment();
      running = false;
    })();
    const locks = new Set<string>();
    while (running) {
      locks.add(readFileSync(join(folder.path, 'lock'), 'utf8'));
      await setImmediate();
    }
    await creatingSegments;
    expect([...locks]).toEqual([JSON.stringify(thisProcess())]);
  });

  test('is deleted on close if it contains no clicks', async () => {
    const { spill } = await open();
    await spill.close();
    expect(await readdir(root)).toEqual([]);
  });

  test('of another machine is adopted once its lock has not been touched for a minute', async () => {
    const first = await open();
    await first.spill.append(aBatch());
    const lock = join(first.folder.path, 'lock');
    await writeFile(lock, JSON.stringify({ ...thisProcess(), realm: 'elsewhere' }));
    const second = await open();
    expect(await adopt(second)).toEqual([]);
    const old = new Date(Date.now() - 61_000);
    await utimes(lock, old, old);
    expect(await adopt(second)).toHaveLength(1);
  });

  test('is adopted together with the folder that its owner was adopting when it crashed', async () => {
    const first = await open();
    await first.spill.append(aBatch());
    await simulateCrash(first.folder);
    const second = await open();
    await second.spill.append(aBatch());
    // Simulates a crash between adopting the folder and moving its files.
    await rename(first.folder.path, join(second.folder.path, 'taken'));
    await simulateCrash(second.folder);
    const third = await open();
    expect(await adopt(third)).toHaveLength(2);
    expect(await readdir(root)).toHaveLength(1);
  });

  describe('that has adopted only the first of two files because of an error', () => {
    const adoptOne = async () => {
      const first = await open();
      await first.spill.append(aBatch());
      const [name] = (await readdir(first.folder.path)).filter((each) => each.endsWith('.clicks'));
      await writeFile(join(first.folder.path, '0.clicks'), await readFile(join(first.folder.path, name!)));
      await simulateCrash(first.folder);
      const second = await open();
      const interrupted = new Error('interrupted');
      const adopting = second.folder.adopt(() => {
        throw interrupted;
      });
      await expect(adopting).rejects.toThrow(interrupted);
      return { second, name: name! };
    };

    test('adopts the second file later', async () => {
      const { second, name } = await adoptOne();
      expect(await adopt(second)).toEqual([join(second.folder.path, name)]);
    });

    test('leaves both files to the next instance when it is closed', async () => {
      const { second } = await adoptOne();
      await second.spill.close();
      expect(await adopt(await open())).toHaveLength(2);
    });
  });

  test('that cannot be created prevents the start, with a one-sentence message', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(SpillFolder.claim(join(root, 'file', 'x'))).rejects.toThrow(
      /^SPILL_DIR: cannot write to .* \(ENOTDIR\)\.$/,
    );
  });
});
