import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';

const path = join(mkdtempSync(join(tmpdir(), 'tautan-lock-')), 'a.lock');

// Simulates a holder that releases the lock, and so removes its file, just before the connection attempt.
const connect = (...args: Parameters<typeof net.connect>): net.Socket => {
  rmSync(path);
  return net.connect(...args);
};
jest.unstable_mockModule('node:net', () => ({ createServer: net.createServer, connect }));
const { acquireProcessLock } = await import('./process-lock.js');

const { platform } = process;
const onLinux = platform === 'linux' ? test : test.skip;

onLinux('acquires the lock if its holder removes the lock file during the attempt', async () => {
  // On macOS, the lock is a socket file.
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  try {
    writeFileSync(path, '');
    const release = await acquireProcessLock(path);
    expect(release).toBeDefined();
    await release!();
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
});
