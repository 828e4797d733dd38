import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AtMost } from './at-most.js';

const program = fileURLToPath(new URL('./svg-child.js', import.meta.url));
/** Longest time for one document, milliseconds. */
const LONGEST_MS = 4_000;
/** Largest PNG of the largest side, and a little. */
const OUTPUT_MAX = 4 * 1024 * 1024;

const work = new AtMost(1, 16);

/**
 * An SVG document of somebody else's as PNG, drawn by a process of its own, which ends after four seconds and beyond 400 MiB.
 * Rejects when it has ended without an image. Throws SERVICE_UNAVAILABLE when too many are waiting.
 */
export const drawApart = (svg: Buffer): Promise<Buffer> => work.run(() => drawn(svg));

const run = promisify(execFile);

async function drawn(svg: Buffer): Promise<Buffer> {
  const options = { timeout: LONGEST_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX, encoding: 'buffer', env: {} } as const; // prettier-ignore
  const running = run(process.execPath, [program], options);
  // It may end before it has read everything; its exit tells.
  running.child.stdin!.on('error', () => {});
  running.child.stdin!.end(svg);
  return (await running).stdout;
}
