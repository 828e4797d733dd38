import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SCHEME = 'tau_live_';
const RANDOM_LENGTH = 26;
const CHECKSUM_LENGTH = 6;
/** Length of the public prefix: the scheme and the first six random characters. */
const PREFIX_LENGTH = SCHEME.length + 6;

const format = new RegExp(`^${SCHEME}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Creates an API key, `tau_live_<26 base62 characters><6-character checksum>` (154 random bits), and returns it with
 * its public prefix. The checksum detects a mistyped key without a database read, and lets secret scanners verify a
 * match.
 */
export function generateApiKey(): { key: string; prefix: string } {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = SCHEME + random;
  return { key: body + checksum(body), prefix: body.slice(0, PREFIX_LENGTH) };
}

/** Returns whether a text has the format of an API key with a valid checksum. The key need not exist. */
export function isWellFormedApiKey(text: string): boolean {
  return format.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the SHA-256 of a key, 32 bytes. Only this hash is stored. Keys have enough entropy for an unsalted hash. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();

/** Returns the CRC-32 (IEEE 802.3) in base62, zero-padded to six characters (62^6 exceeds 2^32). */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
