import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder, and its parents, if missing. Throws EROFS on a read-only file system, where `mkdirSync` would throw
 * ENOENT.
 */
export function createFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') accessSync(existingParent(path), constants.W_OK);
    throw error;
  }
}

function existingParent(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : existingParent(parent);
}
