const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'lnk_';
const ULID_LENGTH = 26;
const ULID_BYTES = 16;

/** Ids of links in 16 bytes each. */
export const packIds = (ids: string[]): Buffer => Buffer.concat(ids.map(pack));

/** The ids that were packed. */
export function unpackIds(bytes: Buffer): string[] {
  const count = Math.floor(bytes.length / ULID_BYTES);
  return Array.from({ length: count }, (_, i) => unpack(bytes.subarray(i * ULID_BYTES, (i + 1) * ULID_BYTES)));
}

function pack(id: string): Buffer {
  let number = 0n;
  for (const character of id.slice(PREFIX.length)) number = number * 32n + BigInt(ALPHABET.indexOf(character));
  return Buffer.from(number.toString(16).padStart(2 * ULID_BYTES, '0'), 'hex');
}

function unpack(bytes: Buffer): string {
  return PREFIX + ulidOf(bytes);
}

/** 16 bytes in the 26 characters of a ULID, lower case (Crockford's base 32). */
export function ulidOf(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < ULID_LENGTH; i += 1) {
    text = ALPHABET[Number(number % 32n)] + text;
    number /= 32n;
  }
  return text;
}
