const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'lnk_';
const ULID_BYTES = 16;
const valueOf = new Map(Array.from(ALPHABET, (character, value) => [character, value]));

/** Packs link ids into 16 bytes each. */
export function packIds(ids: string[]): Buffer {
  const bytes = Buffer.alloc(ids.length * ULID_BYTES);
  ids.forEach((id, i) => pack(id, PREFIX.length, bytes, i * ULID_BYTES));
  return bytes;
}

/** Packs a ULID into 16 bytes. */
export function packUlid(ulid: string): Buffer {
  const bytes = Buffer.alloc(ULID_BYTES);
  pack(ulid, 0, bytes, 0);
  return bytes;
}

/** Returns the ids that `packIds` packed. */
export function unpackIds(bytes: Buffer): string[] {
  const count = Math.floor(bytes.length / ULID_BYTES);
  return Array.from({ length: count }, (_, i) => PREFIX + ulidOf(bytes.subarray(i * ULID_BYTES, (i + 1) * ULID_BYTES)));
}

/** Packs the 26 characters from index `from`, 5 bits each. The first two of these 130 bits are zero. */
function pack(id: string, from: number, bytes: Buffer, at: number): void {
  let bits = 0;
  let pending = -2;
  for (let i = from; i < id.length; i += 1) {
    bits = ((bits << 5) | valueOf.get(id[i]!)!) & 0xfff;
    pending += 5;
    if (pending < 8) continue;
    pending -= 8;
    bytes[at++] = bits >> pending;
  }
}

/** Returns 16 bytes as the 26 characters of a ULID in lower case (Crockford's base 32). */
export function ulidOf(bytes: Uint8Array): string {
  let bits = 0;
  let pending = 2;
  let text = '';
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (pending += 8; pending >= 5;) {
      pending -= 5;
      text += ALPHABET[(bits >> pending) & 0x1f];
    }
  }
  return text;
}
