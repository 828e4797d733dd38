import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The kinds of records in the file, by the first character of their keys:
 *
 *   collection   number → definition          count      number → number of documents and their bytes
 *   document     collection, `_id` → BSON     entry      unique index, key → `_id`; other index, key, `_id` → its length
 *   multikey     index → nothing              garbage    prefix of records that are no longer needed → nothing
 *   session      `lsid` → retryable writes            identity    what the journal of this file begins with
 */
export type Kind = 'collection' | 'count' | 'document' | 'entry' | 'multikey' | 'garbage' | 'session' | 'identity';

const letters: Record<Kind, string> = {
  collection: 'c',
  count: 'n',
  document: 'd',
  entry: 'e',
  multikey: 'm',
  garbage: 'g',
  session: 's',
  identity: 'i',
};

/** What the keys of a kind begin with; with the number of a collection or an index, five characters. */
export const prefixOf = (kind: Kind, number?: number): string =>
  number === undefined
    ? letters[kind]
    : letters[kind] + String.fromCharCode(number >>> 24, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff);

/** The number in a key of `prefixOf`. */
export const numberIn = (key: string): number => Buffer.from(key, 'latin1').readUInt32BE(1);

/** The least key above all that begin with `prefix`. */
export function successor(prefix: string): string {
  let end = prefix.length;
  while (prefix.charCodeAt(end - 1) === 0xff) end -= 1;
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}

/** Longest key of LMDB in bytes. */
const MAX_KEY_BYTES = 1_978;
const HASH_BYTES = 32;
const CUT = MAX_KEY_BYTES - HASH_BYTES;

/** A key in as many bytes as LMDB takes: of a longer one the beginning, and a hash (SHA-256) of all of it. */
export const shortenedKey = (key: string): string =>
  key.length < MAX_KEY_BYTES
    ? key
    : key.slice(0, CUT) + createHash('sha256').update(key, 'latin1').digest().toString('latin1');

export const isShortened = (key: string): boolean => key.length === MAX_KEY_BYTES;

/** Bounds of a range that has all keys between the two, shortened or not, and maybe some that are not. */
export const lowerBound = (key: string): string => key.slice(0, CUT);
export const upperBound = (key: string): string => (key.length > CUT ? successor(key.slice(0, CUT)) : key);

/** A value as the file holds it: the bytes, then a checksum (CRC-32, big endian) of the bytes, seeded by the key. */
export function withChecksum(key: string, bytes: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(bytes.length + 4);
  value.set(bytes);
  value.writeUInt32BE(crc32(bytes, seedOf(key)), bytes.length);
  return value;
}

/** The bytes of a value; undefined when the checksum does not match. */
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
