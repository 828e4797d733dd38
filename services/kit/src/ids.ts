import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';
import { fail } from './errors.js';

export type IdPrefix =
  | 'lnk'
  | 'qr'
  | 'tag'
  | 'dom'
  | 'lgo'
  | 'ws'
  | 'usr'
  | 'mem'
  | 'key'
  | 'ses'
  | 'whe'
  | 'whd'
  | 'evt'
  | 'aud'
  | 'inv'
  | 'sub'
  | 'req'
  | 'clk';

const pool = Buffer.alloc(4_096);
let taken = pool.length;

/** A random fraction. The system is asked for a pool of bytes at a time: asking for each character's byte costs more than the rest of an id. */
function fraction(): number {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  return pool[taken++]! / 256;
}

const next = monotonicFactory(fraction);

/** A new ULID, lower case: 26 characters that sort by time of creation. */
export const newUlid = (atMs?: number): string => next(atMs).toLowerCase();

/** A new id: prefix, `_`, ULID in lower case. */
export const newId = (prefix: IdPrefix, atMs?: number): string => `${prefix}_${newUlid(atMs)}`;

const idForm = /^(?:lnk|qr|tag|dom|lgo|ws|usr|mem|key|ses|whe|whd|evt|aud|inv|sub|req)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id: of any kind, or of the one given. */
export const isId = (text: string, prefix?: IdPrefix): boolean =>
  idForm.test(text) && (prefix === undefined || text.startsWith(`${prefix}_`));

/** Returns the bound of all ids that were created at `atMs` or later: each of them sorts after it. */
export const firstIdAt = (prefix: IdPrefix, atMs: number): string =>
  `${prefix}_${encodeTime(Math.max(0, atMs)).toLowerCase()}`;

/**
 * Returns the id of what an operation creates: the same for every repetition under one operation id, and a new one without.
 * Throws VALIDATION_ERROR naming `operationId` for one that is not a ULID.
 */
export function operationIdOf(prefix: IdPrefix, operationId: string | undefined): string {
  if (operationId === undefined) return newId(prefix);
  const id = `${prefix}_${operationId}`;
  if (isId(id, prefix)) return id;
  throw fail('VALIDATION_ERROR', 'operationId must be a ULID.', 'operationId');
}

/** When an id was made, to the millisecond. */
export const timeOfId = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()));
