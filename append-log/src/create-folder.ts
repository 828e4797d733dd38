import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder, and its parents, if missing. Throws the error of the system. On a read-only file system that is
 * EROFS, which Node.js replaces by ENOENT.
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
  return existsSync(parent) ? parent : existingParent(parent);
}
