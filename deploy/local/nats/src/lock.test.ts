import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from './lock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the lock of a data folder', () => {
  test('is had by one, and given back', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`the data folder ${folder} is in use by process ${process.pid}`);
    await unlock();
    expect(await readdir(folder)).toEqual([]);
    await (
      await lockFolder(folder)
    )();
  });

  test('is had by one of many who come at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is not kept by a process that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await writeFile(join(folder, 'lock'), `${child.pid} 12345\n`);
    const unlock = await lockFolder(folder);
    expect(await readFile(join(folder, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    await unlock();
  });

  test('is not kept by another process that has the number of a dead one', async () => {
    await writeFile(join(folder, 'lock'), `${process.pid} another-time\n`);
    await (
      await lockFolder(folder)
    )();
  });

  test('is taken over from nonsense', async () => {
    await writeFile(join(folder, 'lock'), 'nonsense');
    await (
      await lockFolder(folder)
    )();
  });
});
