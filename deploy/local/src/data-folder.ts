import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.js';

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file is in the way',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the path is too long',
};

/**
 * Makes the data folder and takes it for this process; answers how to give it back. Throws one plain sentence when it
 * cannot be used, or another stack has it.
 */
export async function takeDataFolder(path: string): Promise<() => Promise<void>> {
  const run = join(path, 'run');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    mkdirSync(run, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(run, constants.R_OK | constants.W_OK | constants.X_OK);
    const release = await takeLock(join(run, 'supervisor.lock'), 0);
    if (release) return release;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`The data folder ${path} cannot be used: ${reasons[code] ?? message}.`, { cause: error });
  }
  throw new Error(`Another Tautan already runs on the data folder ${path}.`);
}
