import { createHash } from 'node:crypto';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum length of a socket path, within the limits of all systems: 108 bytes on Linux, 104 on macOS. */
const MAX_SOCKET_PATH = 100;
const RETRY_INTERVAL_MS = 50;

/** Releases a lock. */
export type Release = () => Promise<void>;

/**
 * Acquires a lock that is named after a path in an existing folder. The lock is a listening socket, so the system
 * releases it when the process ends, even after kill -9. Waits up to `waitMs` for the current holder to release it, and
 * returns undefined if the lock is still held after that. The lock excludes only processes of this host; on Linux, only
 * those in the same network namespace.
 */
export async function acquireProcessLock(path: string, waitMs = 0): Promise<Release | undefined> {
  const address = addressOf(path);
  const deadline = performance.now() + waitMs;
  for (;;) {
    const server = await listenOn(address);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    if (await removeAbandoned(address)) continue;
    if (performance.now() >= deadline) return undefined;
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** Acquires the lock of a data folder. Throws if another process holds it. */
export async function lockFolder(folder: string): Promise<Release> {
  const release = await acquireProcessLock(join(folder, 'lock'));
  if (release) return release;
  throw new Error(`the data folder ${folder} is in use by another process`);
}

/**
 * Returns the socket address of a lock. On Linux and Windows, it is a name without a file, so that a crash leaves
 * nothing behind. Other systems need a socket file, which has to be removed after a crash.
 */
function addressOf(path: string): string {
  const name = join(realpathSync(dirname(path)), basename(path));
  const id = `tautan-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${id}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${id}`;
  return Buffer.byteLength(name) <= MAX_SOCKET_PATH ? name : join(tmpdir(), `${id}.lock`);
}

function listenOn(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });
}

/** Removes the socket file of a holder that was killed. Returns whether the lock may be free now. */
async function removeAbandoned(address: string): Promise<boolean> {
  if (address.startsWith('\0') || process.platform === 'win32') return false;
  const before = identityOf(address);
  if (before === undefined) return true;
  if (await isListening(address)) return false;
  // Another process may have replaced the file in the meantime.
  if (identityOf(address) === before) rmSync(address, { force: true });
  return true;
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve(!['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')),
    );
    socket.on('connect', () => socket.destroy());
  });
}

function identityOf(address: string): string | undefined {
  const stats = statSync(address, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.birthtimeMs}`;
}
