import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { takeLock } from './lock.js';

const place = (name = 'a.lock') => join(mkdtempSync(join(tmpdir(), 'tautan-lock-')), name);

test('one holder at a time; the next one waits for it', async () => {
  const path = place();
  const release = await takeLock(path, 0);
  expect(release).toBeDefined();
  expect(await takeLock(path, 0)).toBeUndefined();
  const next = takeLock(path, 5_000);
  await release!();
  expect(await next).toBeDefined();
});

test('of many at once one gets it', async () => {
  const path = place();
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(path, 0)));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('a killed holder leaves nothing behind that stands in the way', async () => {
  const path = place();
  const lockModule = join(import.meta.dirname, 'lock.js');
  const script = `import(${JSON.stringify(lockModule)}).then(m => m.takeLock(${JSON.stringify(path)}, 0)).then(() => { console.log('held'); setInterval(() => {}, 1e6); })`;
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(await takeLock(path, 0)).toBeUndefined();
  holder.kill('SIGKILL');
  await once(holder, 'close');
  expect(await takeLock(path, 0)).toBeDefined();
});

test('a path too long for a socket works as well', async () => {
  const path = place('x'.repeat(200));
  expect(await takeLock(path, 0)).toBeDefined();
  expect(await takeLock(path, 0)).toBeUndefined();
});
