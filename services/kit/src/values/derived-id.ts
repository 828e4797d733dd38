import { createHash } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const HASH_BYTES = 10;

/** The first ten characters of a ULID: a time in Unix milliseconds. */
function timePart(atMs: number): string {
  let rest = atMs;
  let text = '';
  for (let i = 0; i < TIME_CHARACTERS; i += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The other sixteen characters: 80 bits of a hash. */
function hashPart(parts: readonly string[]): string {
  const bytes = createHash('sha256').update(parts.join('\n')).digest().subarray(0, HASH_BYTES);
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < 16; i += 1) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

/**
 * Returns an id derived from the arguments: equal arguments give equal ids. The ids sort by `at`: a time in Unix
 * milliseconds, or another id with a timestamp.
 */
export function derivedId(prefix: 'whd' | 'evt' | 'ses', at: number | string, ...parts: string[]): string {
  const time = typeof at === 'number' ? timePart(at) : at.slice(at.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return `${prefix}_${time}${hashPart(parts)}`;
}
