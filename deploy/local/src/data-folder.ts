import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { acquireProcessLock, createFolder, type Release } from '@tautan/append-log';

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file with this name exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the path is too long',
};

/**
 * Creates the data folder and locks it for this process. Returns a function that releases the lock. Throws if the
 * folder cannot be used, or if another stack uses it.
 */
export async function lockDataFolder(path: string): Promise<Release> {
  const run = join(path, 'run');
  try {
    createFolder(path, 0o700);
    createFolder(run, 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(run, constants.R_OK | constants.W_OK | constants.X_OK);
    const release = await acquireProcessLock(join(run, 'supervisor.lock'));
    if (release) return release;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`The data folder ${path} cannot be used: ${reasons[code] ?? message}.`, { cause: error });
  }
  throw new Error(`Another Tautan process is already using the data folder ${path}.`);
}
