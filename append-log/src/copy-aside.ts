import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { disk } from './disk.js';

/** Writes the torn tail of the log at `path` to a new file beside it. Returns that file's path. */
export const copyBytes = (path: string, bytes: Buffer): Promise<string> =>
  copyAside(path, 'torn', (target) => disk.create(target, bytes));

/** Copies the log at `path` to a new file beside it. Returns that file's path. */
export const keepCopy = (path: string): Promise<string> =>
  copyAside(path, 'damaged', (target) => disk.copy(path, target));

/**
 * Calls `write` with the first unused path of `<path>.<kind>.1`, `.2` and so on. If `write` rejects, removes the
 * partial file and rejects.
 */
async function copyAside(path: string, kind: string, write: (target: string) => Promise<void>): Promise<string> {
  const taken = new Set(await readdir(dirname(path)));
  let n = 1;
  while (taken.has(`${basename(path)}.${kind}.${n}`)) n++;
  const target = `${path}.${kind}.${n}`;
  try {
    await write(target);
  } catch (error) {
    await disk.remove(target);
    throw error;
  }
  await disk.syncDirectory(path);
  return target;
}
