import { createHash } from 'node:crypto';
import { statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Socket paths are bounded by the system: 108 bytes on Linux, 104 elsewhere. */
const MAX_PATH = 100;
const RETRY_EVERY_MS = 50;

/**
 * Takes a lock that ends with its process, however that ends: a listening socket at `path`. Waits up to `waitMs` for its
 * holder to go; answers how to give it back, or undefined when it is still held.
 */
export async function takeLock(path: string, waitMs: number): Promise<(() => Promise<void>) | undefined> {
  const place = placeOf(path);
  const until = Date.now() + waitMs;
  for (;;) {
    const server = await listenAt(place);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    if (await isAbandoned(place)) continue;
    if (Date.now() >= until) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
  }
}

function placeOf(path: string): string {
  const name = `tautan-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return Buffer.byteLength(path) <= MAX_PATH ? path : join(tmpdir(), `${name}.lock`);
}

function listenAt(place: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(place, () => resolve(server.unref()));
  });
}

/** Removes a socket that nobody listens on any more: its holder was killed. Answers whether it did. */
async function isAbandoned(place: string): Promise<boolean> {
  const seen = inode(place);
  if (seen === undefined) return true;
  const held = await new Promise<boolean>((resolve) => {
    const socket = connect(place, () => resolve(true));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
    socket.on('connect', () => socket.destroy());
  });
  if (held) return false;
  // The same socket still, and not one that another start has put here since.
  if (inode(place) === seen) unlinkSync(place);
  return true;
}

function inode(place: string): number | undefined {
  return statSync(place, { throwIfNoEntry: false })?.ino;
}
