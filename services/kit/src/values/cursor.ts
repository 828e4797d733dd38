import { createHash } from 'node:crypto';
import { fail } from '../errors.js';

const CHECKSUM_BYTES = 12;

/**
 * Returns an opaque, URL-safe cursor for a position in a list. `boundTo` identifies the list (workspace, filters, sort)
 * and can be any JSON value. The cursor's checksum needs no secret key, because a forged position only moves within the
 * caller's own list.
 */
export const writeCursor = (boundTo: unknown, position: Buffer): string =>
  Buffer.concat([checksumOf(boundTo, position), position]).toString('base64url');

/**
 * Returns the position in a cursor. Throws VALIDATION_ERROR for `cursor` if it is altered or belongs to another list.
 */
export function readCursor(boundTo: unknown, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(CHECKSUM_BYTES);
  const intact =
    bytes.toString('base64url') === cursor && bytes.subarray(0, CHECKSUM_BYTES).equals(checksumOf(boundTo, position));
  if (!intact) throw invalidCursor();
  return position;
}

/** Returns the fault for an invalid cursor. */
export const invalidCursor = (): Error =>
  fail('VALIDATION_ERROR', 'cursor is invalid or belongs to another query.', 'cursor');

const checksumOf = (boundTo: unknown, position: Buffer): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(boundTo))
    .update('\n')
    .update(position)
    .digest()
    .subarray(0, CHECKSUM_BYTES);
