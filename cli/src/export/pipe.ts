import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 50;

/**
 * Opens a named pipe as soon as a process reads it. A file stream is not used, because the exit after an interrupt
 * would wait until the stream's blocking calls return.
 */
export async function openPipe(path: string): Promise<Writable> {
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      // No process reads the pipe yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await sleep(RETRY_MS);
  }
}
