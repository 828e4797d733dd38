import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, type CliError } from '../errors.js';
import { onInterrupt } from '../interrupts.js';
import { isFileError, reasonOf } from '../output/file-problem.js';

type Chunks = AsyncIterable<Uint8Array | string>;

/** Writes to standard output with backpressure and leaves it open. */
export async function toStandardOutput(chunks: Chunks): Promise<void> {
  await pipeline(Readable.from(chunks), process.stdout, { end: false });
}

const unwritten = (path: string, error: unknown): CliError =>
  fail('unwritten', `${path} cannot be written: ${reasonOf(error)}.`);

/**
 * Throws `unwritten` if the file exists and `force` is not set. Call it before the data is requested, so that
 * nothing is downloaded in vain.
 */
export function checkTarget(path: string, force: boolean | undefined): void {
  if (!force && existsSync(path))
    throw fail('unwritten', `${path} already exists.`, { hint: 'Add --force to replace it.' });
}

/**
 * Writes a file atomically. Throws `unwritten` if the file cannot be written, or if it exists and `force` is not set,
 * even if it was created while the data was received.
 */
export async function toFile(path: string, chunks: Chunks, force: boolean | undefined): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const handle = await open(draft, 'wx', 0o666).catch((error: NodeJS.ErrnoException) => {
    throw unwritten(path, error);
  });
  const unregister = onInterrupt(() => rmSync(draft, { force: true }));
  try {
    await pipeline(Readable.from(chunks), createWriteStream('', { fd: handle, flush: true }));
    checkTarget(path, force);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw isFileError(error) ? unwritten(path, error) : error;
  } finally {
    unregister();
  }
}
