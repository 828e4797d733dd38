import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { disk } from './disk.js';

/** Writes the cut tail of the log at `path` to a new file beside it. Returns that file's path. */
export const keepBytes = (path: string, bytes: Buffer): Promise<string> =>
  keep(path, 'torn', (target) => disk.create(target, bytes));

/** Copies the log at `path` to a new file beside it. Returns that file's path. */
export const keepFile = (path: string): Promise<string> => keep(path, 'damaged', (target) => disk.copy(path, target));

/** Calls `write` with the first of `<path>.<kind>.1`, `.2` and so on that is free. A partial file is removed. */
async function keep(path: string, kind: string, write: (target: string) => Promise<void>): Promise<string> {
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
