import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { acquireProcessLock, lockFolder } from './process-lock.js';

const lockPath = (name = 'a.lock') => join(mkdtempSync(join(tmpdir(), 'tautan-lock-')), name);

const module = join(import.meta.dirname, 'process-lock.js');
const script = `
  const [module, path] = process.argv.slice(1);
  const { acquireProcessLock } = await import(module);
  process.stdin.on('data', async () => console.log((await acquireProcessLock(path)) ? 'held' : 'refused'));
  console.log('ready');
`;

/** Starts a process that tries to acquire the lock whenever it receives a line of input. */
async function contender(path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, path]);
  const next = async () => String((await once(child.stdout, 'data'))[0]).trim();
  await next();
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  const acquire = () => {
    const answer = next();
    child.stdin.write('\n');
    return answer;
  };
  return { acquire, kill };
}

test('has one holder at a time, and a second caller can wait for the release', async () => {
  const path = lockPath();
  const release = await acquireProcessLock(path);
  expect(release).toBeDefined();
  expect(await acquireProcessLock(path)).toBeUndefined();
  const next = acquireProcessLock(path, 5_000);
  await release!();
  expect(await next).toBeDefined();
});

test('has exactly one holder among concurrent calls', async () => {
  const path = lockPath();
  const locks = await Promise.all(Array.from({ length: 20 }, () => acquireProcessLock(path)));
  expect(locks.filter(Boolean)).toHaveLength(1);
});

test('is released when its holder is killed, and then acquired by exactly one of many processes', async () => {
  const path = lockPath();
  const holder = await contender(path);
  const others = await Promise.all(Array.from({ length: 6 }, () => contender(path)));
  for (let round = 0, current = holder; round < 3; round++) {
    if (round === 0) expect(await current.acquire()).toBe('held');
    expect(await acquireProcessLock(path)).toBeUndefined();
    await current.kill();
    const answers = await Promise.all(others.map(({ acquire }) => acquire()));
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
    [current] = others.splice(answers.indexOf('held'), 1) as [typeof holder];
    if (round === 2) await current.kill();
  }
  await Promise.all(others.map(({ kill }) => kill()));
});

test('supports paths that are too long for a socket', async () => {
  const path = lockPath('x'.repeat(200));
  expect(await acquireProcessLock(path)).toBeDefined();
  expect(await acquireProcessLock(path)).toBeUndefined();
});

test('a path through a symbolic link to the folder names the same lock', async () => {
  const path = lockPath();
  const link = `${dirname(path)}-link`;
  symlinkSync(dirname(path), link);
  expect(await acquireProcessLock(path)).toBeDefined();
  expect(await acquireProcessLock(join(link, 'a.lock'))).toBeUndefined();
});

test('lockFolder throws while the folder is in use; the release leaves no file, and the folder can be locked again', async () => {
  const folder = dirname(lockPath());
  const release = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`the data folder ${folder} is in use by another process`);
  await release();
  expect(readdirSync(folder)).toEqual([]);
  await (
    await lockFolder(folder)
  )();
});
