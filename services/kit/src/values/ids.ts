import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';
import { fail } from '../errors.js';

/**
 * Prefixes of ids. The less obvious ones: logo (`lgo`), webhook endpoint (`whe`) and delivery (`whd`), audit entry
 * (`aud`), invoice (`inv`), subscription (`sub`), API request (`req`).
 */
const prefixes = [
  'lnk',
  'qr',
  'tag',
  'dom',
  'lgo',
  'ws',
  'usr',
  'mem',
  'key',
  'ses',
  'whe',
  'whd',
  'evt',
  'aud',
  'inv',
  'sub',
  'req',
] as const;
export type IdPrefix = (typeof prefixes)[number];

const pool = Buffer.alloc(4_096);
let taken = pool.length;

/**
 * Returns a random fraction. Reads random bytes in blocks, because a system call per character would dominate the cost
 * of an id.
 */
function fraction(): number {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  return pool[taken++]! / 256;
}

const next = monotonicFactory(fraction);

/** Returns a new ULID in lower case: 26 characters that sort by creation time. */
export const newUlid = (atMs?: number): string => next(atMs).toLowerCase();

/** Returns a new id: prefix, `_`, ULID in lower case. */
export const newId = (prefix: IdPrefix, atMs?: number): string => `${prefix}_${newUlid(atMs)}`;

const idForm = new RegExp(`^(?:${prefixes.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`);

/** Returns whether a text has the format of an id with this prefix, or with any prefix if none is given. */
export const isId = (text: string, prefix?: IdPrefix): boolean =>
  idForm.test(text) && (prefix === undefined || text.startsWith(`${prefix}_`));

/** Returns the lower bound of ULIDs created at `atMs` or later. */
export const firstUlidAt = (atMs: number): string => encodeTime(Math.max(0, atMs)).toLowerCase();

/** Returns the lower bound of ids created at `atMs` or later. */
export const firstIdAt = (prefix: IdPrefix, atMs: number): string => `${prefix}_${firstUlidAt(atMs)}`;

/**
 * Returns the id of a record that an operation creates: the same one for every retry with the same operation id, or a
 * new one if there is none. Throws VALIDATION_ERROR naming `operationId` if it is not a ULID in lower case.
 */
export function idForOperation(prefix: IdPrefix, operationId: string | undefined): string {
  if (operationId === undefined) return newId(prefix);
  const id = `${prefix}_${operationId}`;
  if (isId(id, prefix)) return id;
  throw fail('VALIDATION_ERROR', 'operationId must be a ULID in lower case.', 'operationId');
}

/** Returns the creation time of an id, with millisecond precision. */
export const timeOfId = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf('_') + 1)));
