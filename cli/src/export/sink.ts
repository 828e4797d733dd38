import { createWriteStream, fchmodSync, openSync, rmSync, statSync, type Stats } from 'node:fs';
import { realpath, rename, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, type CliError } from '../errors.js';
import { onInterrupt } from '../interrupts.js';
import { isFileError, reasonOf } from '../output/file-problem.js';
import { openPipe } from './pipe.js';

type Chunks = AsyncIterable<Uint8Array | string>;

/** Writes to standard output with backpressure and leaves it open. */
export async function toStandardOutput(chunks: Chunks): Promise<void> {
  await pipeline(Readable.from(chunks), process.stdout, { end: false });
}

const unwritten = (path: string, error: unknown): CliError =>
  fail('unwritten', `${path} cannot be written: ${reasonOf(error)}.`);

/** Returns what is at a path after following symbolic links, or undefined if there is nothing. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Throws `unwritten` if the path is a folder, or if a file exists there and `force` is not set. Call it before the data
 * is requested, so that nothing is downloaded in vain.
 */
export function checkTarget(path: string, force: boolean | undefined): void {
  const status = statusOf(path);
  if (status?.isDirectory()) throw unwritten(path, { code: 'EISDIR' });
  if (!force && status?.isFile())
    throw fail('unwritten', `${path} already exists.`, { hint: 'Add --force to replace it.' });
}

/**
 * Writes a file atomically. If the path is a pipe or a device, writes directly to it. Throws `unwritten` if writing
 * fails, or if the file exists and `force` is not set, even if it was created while the data was received.
 */
export async function toFile(path: string, chunks: Chunks, force: boolean | undefined): Promise<void> {
  const status = statusOf(path);
  try {
    if (status?.isFIFO()) await pipeline(Readable.from(chunks), await openPipe(path));
    else if (status && !status.isFile()) await pipeline(Readable.from(chunks), createWriteStream(path));
    else await replaceFile(path, status, chunks, force);
  } catch (error) {
    throw isFileError(error) ? unwritten(path, error) : error;
  }
}

/** Creates the file, or replaces the existing one and keeps its mode. Replaces the target of symbolic links. */
async function replaceFile(
  path: string,
  existing: Stats | undefined,
  chunks: Chunks,
  force: boolean | undefined,
): Promise<void> {
  const target = existing ? await realpath(path) : path;
  const mode = existing && existing.mode & 0o777;
  const draft = `${target}.${process.pid}.part`;
  // Synchronous, so that no interrupt comes between the creation of the file and the registration of its removal.
  const fd = openSync(draft, 'wx', mode ?? 0o666);
  const unregister = onInterrupt(() => rmSync(draft, { force: true }));
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    await pipeline(Readable.from(chunks), createWriteStream('', { fd, flush: true }));
    checkTarget(path, force);
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  } finally {
    unregister();
  }
}
