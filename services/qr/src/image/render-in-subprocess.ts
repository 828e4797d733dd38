import { execFile, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertNotAborted } from '@tautan/kit';
import { Semaphore } from './semaphore.js';
import type { Kind } from './render-untrusted.js';

const program = fileURLToPath(new URL('./render-child.js', import.meta.url));
/** Timeout for one image, milliseconds. */
const TIMEOUT_MS = 4_000;
/**
 * Niceness of the subprocess. The niceness gives priority to this process, which renders QR codes. An uploaded image of
 * usual size still takes less than a second.
 */
const NICENESS = 5;
/** Maximum size of the PNG, bytes. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const semaphore = new Semaphore({ concurrency: 2, concurrencyPerOwner: 1, waiting: 64, waitingPerOwner: 16 });

/** The workspace that uploads an image, and the signal of its call. */
export interface Uploader {
  workspaceId: string;
  /** Aborted when the caller gives up. */
  signal?: AbortSignal | undefined;
}

/**
 * Renders an untrusted image as PNG (see renderUntrusted) in a subprocess with lower priority, which is killed after
 * four seconds or above 400 MiB. Workspaces take turns, with one image at a time each. Rejects if the subprocess ends
 * without an image. Throws SERVICE_UNAVAILABLE if too many images are waiting, or if the caller gives up before its
 * turn.
 */
export const renderInSubprocess = (file: Buffer, kind: Kind, { workspaceId, signal }: Uploader): Promise<Buffer> =>
  semaphore.run(() => {
    assertNotAborted(signal);
    return runChild(file, kind);
  }, workspaceId);

const run = promisify(execFile);

async function runChild(file: Buffer, kind: Kind): Promise<Buffer> {
  const options = {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'buffer',
    env: {},
  } as const;
  const running = run(process.execPath, [program, kind], options);
  lowerPriority(running.child);
  // The child may exit before it has read everything; its exit code reports the failure.
  running.child.stdin!.on('error', () => {});
  running.child.stdin!.end(file);
  return (await running).stdout;
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // The process has already ended.
  }
}
