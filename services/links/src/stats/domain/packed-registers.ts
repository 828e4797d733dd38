/** Largest difference from the base that a nibble (half a byte) stores. The value 15 marks an exception. */
const MAX_DIFFERENCE = 14;
const EXCEPTION = 15;
const EXCEPTION_BYTES = 3;

/** Maximum number of registers, and the number that their count must be a multiple of. */
const MAX_REGISTERS = 1 << 15;
const GROUP = 8;

/**
 * Packs HyperLogLog registers, each of which holds a rank. The first byte is the lowest rank (the base). One nibble per
 * register follows, with the difference between its rank and the base. The exceptions follow at the end: the index (2
 * bytes) and the rank (1 byte) of each register whose difference does not fit into a nibble. Of every eight registers,
 * the first four are in the lower nibbles of four bytes and the others in the upper nibbles, so that one mask extracts
 * four at a time. The number of registers must be a multiple of 8, at most 2^15.
 */
export function packRegisters(registers: Uint8Array): Uint8Array {
  const base = registers.reduce((lowest, rank) => Math.min(lowest, rank), 255);
  const exceptions: number[] = [];
  registers.forEach((rank, i) => rank - base > MAX_DIFFERENCE && exceptions.push(i));
  const half = registers.length / 2;
  const packed = Buffer.alloc(1 + half + exceptions.length * EXCEPTION_BYTES);
  packed[0] = base;
  registers.forEach((rank, i) => {
    const upper = i & (GROUP / 2) ? 4 : 0;
    packed[1 + ((i >>> 3) << 2) + (i & 3)]! |= differenceTo(rank, base) << upper;
  });
  exceptions.forEach((index, i) => {
    packed.writeUInt16LE(index, 1 + half + i * EXCEPTION_BYTES);
    packed[1 + half + i * EXCEPTION_BYTES + 2] = registers[index]!;
  });
  return packed;
}

const differenceTo = (rank: number, base: number): number => (rank - base > MAX_DIFFERENCE ? EXCEPTION : rank - base);

/** Unpacks `count` registers. */
export function unpackRegisters(packed: Uint8Array, count: number): Uint8Array {
  const registers = new Uint8Array(count);
  mergePacked(registers, packed);
  return registers;
}

const TOP_BITS = 0x80808080 | 0;
const LOWER_NIBBLES = 0x0f0f0f0f;

/** Buffer for packed nibbles, eight per word. They are copied to it, because packed bytes may be unaligned. */
const nibbleWords = new Int32Array(MAX_REGISTERS / GROUP);
const nibbleBytes = new Uint8Array(nibbleWords.buffer);

/**
 * Sets each of `registers` to the maximum of itself and the corresponding packed register. The nibble of an exception
 * merges as base + 15, which is at most its rank. The last loop merges the rank itself.
 */
export function mergePacked(registers: Uint8Array, packed: Uint8Array): void {
  const half = registers.length / 2;
  const own = new Int32Array(registers.buffer, registers.byteOffset, registers.length / 4);
  nibbleBytes.set(packed.subarray(1, 1 + half));
  const base = packed[0]! * 0x01010101;
  for (let i = 0; i < half / 4; i += 1) {
    const eight = nibbleWords[i]!;
    mergeFour(own, 2 * i, (eight & LOWER_NIBBLES) + base);
    mergeFour(own, 2 * i + 1, ((eight >>> 4) & LOWER_NIBBLES) + base);
  }
  for (let at = 1 + half; at < packed.length; at += EXCEPTION_BYTES) {
    const index = packed[at]! | (packed[at + 1]! << 8);
    registers[index] = Math.max(registers[index]!, packed[at + 2]!);
  }
}

/**
 * Sets four registers, one per byte, to the maximum of each and the corresponding one of `theirs`. Ranks must be below
 * 128: the top bit of each byte is then free, and no subtraction borrows from the next byte.
 */
export function mergeFour(own: Int32Array, at: number, theirs: number): void {
  const ours = own[at]!;
  const notLess = ((ours | TOP_BITS) - theirs) & TOP_BITS;
  // Usually true after a few days have been merged.
  if (notLess === TOP_BITS) return;
  const mask = notLess | (notLess - (notLess >>> 7));
  own[at] = (ours & mask) | (theirs & ~mask);
}
