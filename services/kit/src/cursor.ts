import { createHash } from 'node:crypto';
import { fail } from './errors.js';

const SEAL_BYTES = 12;

/**
 * An opaque, URL-safe text for a position in a list, bound to what it belongs to (workspace, filters, sort: anything that
 * JSON can say). The seal is no secret: whoever forges a position sees nothing but their own list from elsewhere.
 */
export const writeCursor = (boundTo: unknown, position: Buffer): string =>
  Buffer.concat([seal(boundTo, position), position]).toString('base64url');

/** The position in a cursor. Throws VALIDATION_ERROR naming `cursor` for one that was altered or belongs to another list. */
export function readCursor(boundTo: unknown, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(SEAL_BYTES);
  const intact =
    bytes.toString('base64url') === cursor && bytes.subarray(0, SEAL_BYTES).equals(seal(boundTo, position));
  if (!intact) throw foreignCursor();
  return position;
}

/** The fault of a cursor that leads nowhere in the list it was shown for. */
export const foreignCursor = (): Error => fail('VALIDATION_ERROR', 'cursor does not belong to this query.', 'cursor');

const seal = (boundTo: unknown, position: Buffer): Buffer =>
  createHash('sha256').update(JSON.stringify(boundTo)).update('\n').update(position).digest().subarray(0, SEAL_BYTES);
