import { execFile, type ChildProcess, type ExecFileException } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertNotAborted, fail } from '@tautan/kit';
import { Semaphore } from './semaphore.js';
import type { Kind } from './render-untrusted.js';

const program = fileURLToPath(new URL('./render-child.js', import.meta.url));
/** Maximum CPU time and duration for one image, milliseconds. Only on a busy machine is the duration reached first. */
export interface RenderLimits {
  cpuMs: number;
  timeoutMs: number;
}
export const defaultLimits: RenderLimits = { cpuMs: 4_000, timeoutMs: 8_000 };
/**
 * Niceness of the subprocess. The niceness gives priority to the parent process, which renders QR codes. An uploaded
 * image of usual size still takes less than a second.
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
 * Renders an untrusted image as PNG (see renderUntrusted) in a subprocess with lower priority, which ends after
 * `cpuMs` of CPU time or above 400 MiB of memory. Workspaces take turns, with one image at a time each. Rejects if the
 * subprocess ends without an image. Throws SERVICE_UNAVAILABLE if too many images are waiting, if the caller gives up
 * before its turn, or if the subprocess has not ended after `timeoutMs`.
 */
export const renderInSubprocess = (
  file: Buffer,
  kind: Kind,
  { workspaceId, signal }: Uploader,
  limits = defaultLimits,
): Promise<Buffer> =>
  semaphore.run(() => {
    assertNotAborted(signal);
    return runChild(file, kind, limits);
  }, workspaceId);

const run = promisify(execFile);

async function runChild(file: Buffer, kind: Kind, { cpuMs, timeoutMs }: RenderLimits): Promise<Buffer> {
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'buffer',
    env: {},
  } as const;
  const running = run(process.execPath, [program, kind, String(cpuMs)], options);
  lowerPriority(running.child);
  // The child may exit before it has read everything; its exit code reports the failure.
  running.child.stdin!.on('error', () => {});
  running.child.stdin!.end(file);
  const { stdout } = await running.catch((error: ExecFileException) => {
    // Only the timeout and too much output kill the subprocess from here; its own limits leave `killed` false.
    if (error.killed && error.code === null) throw fail('SERVICE_UNAVAILABLE', 'The image took too long. Try again.');
    throw error;
  });
  return stdout;
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // The process has already ended.
  }
}
