/** Bits of a mark for its place; the other six are its rank. */
const PLACE_BITS = 26;
const RANK_BITS = 32 - PLACE_BITS;

/**
 * Returns the 32-bit mark of a visitor for sketches: a place (the first 26 bits of a 64-bit hash) and a rank (the
 * number of zero bits that follow, plus one; at most 39).
 */
export function visitorMark(name: string): number {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  const high = mixed(a ^ Math.imul(b, 0xc2b2ae35));
  const low = mixed(b ^ Math.imul(high, 0x27d4eb2f));
  const behind = high & ((1 << RANK_BITS) - 1);
  const rank = behind === 0 ? RANK_BITS + Math.clz32(low) + 1 : Math.clz32(behind) - PLACE_BITS + 1;
  return ((high & ~((1 << RANK_BITS) - 1)) | rank) >>> 0;
}

export const placeOf = (mark: number): number => mark >>> RANK_BITS;
export const rankOf = (mark: number): number => mark & ((1 << RANK_BITS) - 1);
/** Number of places. */
export const PLACES = 2 ** PLACE_BITS;

/** The 32-bit finalizer of MurmurHash3: every input bit changes every output bit with even odds. */
function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Returns the register (of 2^precision) and the rank of a mark. The remaining bits of its place come before its rank.
 */
export function registerOf(mark: number, precision: number): { register: number; rank: number } {
  const left = PLACE_BITS - precision;
  const place = placeOf(mark);
  const between = place & ((1 << left) - 1);
  const rank = between === 0 ? left + rankOf(mark) : Math.clz32(between) - (32 - left) + 1;
  return { register: place >>> left, rank };
}
