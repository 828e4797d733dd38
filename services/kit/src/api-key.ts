import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SCHEME = 'tau_live_';
const RANDOM_LENGTH = 26;
const CHECKSUM_LENGTH = 6;
/** The scheme and the first six random characters: enough to recognise a key by, too little to guess it from. */
const PREFIX_LENGTH = SCHEME.length + 6;

const form = new RegExp(`^${SCHEME}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new API key, `tau_live_<26 base62><6-character checksum>` (154 random bits), and the prefix that it is listed by.
 * The checksum tells a mistyped key without a look into the database, and lets secret scanners be sure of a find.
 */
export function mintApiKey(): { key: string; prefix: string } {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = SCHEME + random;
  return { key: body + checksum(body), prefix: body.slice(0, PREFIX_LENGTH) };
}

/** Whether a text has the form of an API key and its checksum is right. Says nothing of whether such a key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** SHA-256 of a key, 32 bytes: the only form that is stored. A key has too much entropy to be guessed from it. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();

/** CRC-32 (IEEE 802.3) in base62, padded with zeros to six characters (62^6 exceeds 2^32). */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
