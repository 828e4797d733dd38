import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The kinds of records in the file, by the first character of their keys. Comments show the rest of the key → the
 * value.
 */
const KINDS = {
  /** Number → definition. */
  collection: 'c',
  /** Collection → number of documents. */
  count: 'n',
  /** Collection, `_id` → BSON. */
  document: 'd',
  /**
   * In a unique index: index, key → `_id`. In another index: index, key, `_id` → length of the `_id`, or the `_id`
   * itself if the record's key was shortened.
   */
  entry: 'e',
  /** Number of a multikey index, or of the collection if its index of `_id` is multikey → nothing. */
  multikey: 'm',
  /** Prefix of records to remove → nothing. */
  garbage: 'g',
  /** `lsid` → outcome of the last retryable write or transaction. */
  session: 's',
  /** Nothing → identity of this file, which is also the first record of its journal. */
  identity: 'i',
} as const;

export type Kind = keyof typeof KINDS;

/** Length of the prefix of a collection or an index. */
export const PREFIX_LENGTH = 5;

/** Returns the key prefix of a kind or, with `number`, the prefix of that collection or index. */
export function prefixOf(kind: Kind, number?: number): string {
  if (number === undefined) return KINDS[kind];
  const bytes = [number >>> 24, number >>> 16, number >>> 8, number].map((byte) => byte & 0xff);
  return KINDS[kind] + String.fromCharCode(...bytes);
}

/** Returns the number of the collection or index in a key. */
export const numberIn = (key: string): number => Buffer.from(key, 'latin1').readUInt32BE(1);

/** Returns the smallest key above all that start with `prefix`. */
export function successor(prefix: string): string {
  let end = prefix.length;
  while (prefix.charCodeAt(end - 1) === 0xff) end -= 1;
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}

/** Maximum key size of LMDB. */
const MAX_KEY_BYTES = 1_978;
const HASH_BYTES = 32;
const TRUNCATED_BYTES = MAX_KEY_BYTES - HASH_BYTES;

/**
 * Returns a key that LMDB accepts. A key of the maximum size or more is truncated, and the SHA-256 hash of the whole
 * key is appended.
 */
export const shortenedKey = (key: string): string =>
  key.length < MAX_KEY_BYTES
    ? key
    : key.slice(0, TRUNCATED_BYTES) + createHash('sha256').update(key, 'latin1').digest().toString('latin1');

/** Returns whether a key was shortened: only shortened keys have the maximum size. */
export const isShortened = (key: string): boolean => key.length === MAX_KEY_BYTES;

/** Returns whether comparing any shortened key with this bound gives the same result as comparing the original key. */
export const isExactBound = (key: string): boolean => key.length <= TRUNCATED_BYTES;

/**
 * `lowerBound` and `upperBound` widen a range so that it also contains the shortened forms of its keys. It may then
 * contain other keys as well.
 */
export const lowerBound = (key: string): string => key.slice(0, TRUNCATED_BYTES);
export const upperBound = (key: string): string =>
  key.length > TRUNCATED_BYTES ? successor(key.slice(0, TRUNCATED_BYTES)) : key;

/** Appends a checksum to a value: CRC-32 of the bytes, big endian, seeded by the key. */
export function withChecksum(key: string, bytes: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(bytes.length + 4);
  value.set(bytes);
  value.writeUInt32BE(crc32(bytes, seedOf(key)), bytes.length);
  return value;
}

/** Returns the bytes of a value; undefined if the checksum does not match. */
export function withoutChecksum(key: string, value: Buffer): Buffer | undefined {
  const bytes = value.subarray(0, Math.max(0, value.length - 4));
  return value.length >= 4 && crc32(bytes, seedOf(key)) === value.readUInt32BE(bytes.length) ? bytes : undefined;
}

/** A hash of a key (FNV-1a, 32 bits). */
function seedOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
