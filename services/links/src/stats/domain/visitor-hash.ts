/** Bits of a visitor hash that hold its index. The other six hold its rank. */
const INDEX_BITS = 26;
const RANK_BITS = 32 - INDEX_BITS;

/**
 * Returns the 32-bit hash of a visitor id, similar to the sparse representation of HyperLogLog++: an index (the first
 * 26 bits of a 64-bit hash) and a rank (the number of zero bits that follow, plus one; at most 39).
 */
export function visitorHash(visitorId: string): number {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < visitorId.length; i += 1) {
    const code = visitorId.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  const high = mixed(a ^ Math.imul(b, 0xc2b2ae35));
  const low = mixed(b ^ Math.imul(high, 0x27d4eb2f));
  const following = high & ((1 << RANK_BITS) - 1);
  const rank = following === 0 ? RANK_BITS + Math.clz32(low) + 1 : Math.clz32(following) - INDEX_BITS + 1;
  return ((high & ~((1 << RANK_BITS) - 1)) | rank) >>> 0;
}

export const indexOf = (hash: number): number => hash >>> RANK_BITS;
export const rankOf = (hash: number): number => hash & ((1 << RANK_BITS) - 1);
/** Number of possible indexes. */
export const INDEXES = 2 ** INDEX_BITS;

/** The 32-bit finalizer of MurmurHash3: every input bit changes every output bit with even odds. */
function mixed(bits: number): number {
  let h = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Returns the number of the register (of 2^precision) and the rank of a hash at this precision. The first bits of the
 * hash's index are the register number. The rank is the number of zero bits that follow the register number, plus one.
 */
export function registerOf(hash: number, precision: number): { register: number; rank: number } {
  const remainingBits = INDEX_BITS - precision;
  const index = indexOf(hash);
  const between = index & ((1 << remainingBits) - 1);
  const rank = between === 0 ? remainingBits + rankOf(hash) : Math.clz32(between) - (32 - remainingBits) + 1;
  return { register: index >>> remainingBits, rank };
}
