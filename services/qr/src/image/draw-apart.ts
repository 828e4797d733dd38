import { execFile, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertNotAborted } from '@tautan/kit';
import { AtMost } from './at-most.js';
import type { Kind } from './draw-unknown.js';

const program = fileURLToPath(new URL('./draw-child.js', import.meta.url));
/** Longest time for one image, milliseconds. */
const LONGEST_MS = 4_000;
/** Niceness of the process: QR codes are drawn first, and an image of the usual size is still done in a second. */
const NICENESS = 5;
/** Largest PNG of the largest side, and a little. */
const OUTPUT_MAX = 4 * 1024 * 1024;

const work = new AtMost({ atOnce: 2, atOnceEach: 1, waiting: 64, waitingEach: 16 });

export interface Uploader {
  workspaceId: string;
  /** Aborted when the caller gave up. */
  signal?: AbortSignal | undefined;
}

/**
 * Returns a foreign image as PNG (see drawUnknown), drawn by a process of its own with a lower priority, which is killed after four
 * seconds or beyond 400 MiB. Workspaces take turns, and have one drawn at a time. Rejects when the process has ended without an image. Throws SERVICE_UNAVAILABLE when too many
 * are waiting, of all or of this workspace, or when the caller gives up before its turn.
 */
export const drawApart = (file: Buffer, kind: Kind, { workspaceId, signal }: Uploader): Promise<Buffer> =>
  work.run(() => {
    assertNotAborted(signal);
    return drawn(file, kind);
  }, workspaceId);

const run = promisify(execFile);

async function drawn(file: Buffer, kind: Kind): Promise<Buffer> {
  const options = { timeout: LONGEST_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX, encoding: 'buffer', env: {} } as const; // prettier-ignore
  const running = run(process.execPath, [program, kind], options);
  yieldProcessor(running.child);
  // It may end before it has read everything; its exit tells.
  running.child.stdin!.on('error', () => {});
  running.child.stdin!.end(file);
  return (await running).stdout;
}

function yieldProcessor({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}
