import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { disk } from './disk.js';

/**
 * Returns the object that `writeCheckedJson` wrote, or undefined if there is no file. Throws an error that names the
 * file if it cannot be read or is damaged. Files of earlier versions, without a checksum, are accepted.
 */
export function readCheckedJson<T extends object>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const value = checked<T>(text);
  if (value) return value;
  throw new Error(`The file ${path} is damaged. Nothing was changed. Restore the file from a backup.`);
}

/** Writes an object as JSON with a checksum, atomically and durably, readable only by its owner. */
export function writeCheckedJson(path: string, value: object): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const text = JSON.stringify({ ...value, checksum: checksumOf(value) }, null, 2);
  writeFileSync(next, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(next, path);
  disk.syncDirectorySync(path);
}

/** Parses a text. Returns the object without its `checksum`, or undefined if the text or the checksum is invalid. */
function checked<T extends object>(text: string): T | undefined {
  try {
    const { checksum, ...value } = JSON.parse(text) as T & { checksum?: string };
    const isIntact = checksum === undefined ? !endsWithChecksum(value) : checksum === checksumOf(value);
    return isIntact ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the value of the last property is the checksum of the other properties. If no property is named
 * `checksum`, true means that the name of the last property is damaged.
 */
function endsWithChecksum(value: object): boolean {
  const entries = Object.entries(value);
  const last = entries.pop();
  return last?.[1] === checksumOf(Object.fromEntries(entries));
}

const checksumOf = (value: object): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
