/** Largest rank above the base that half a byte holds; 15 says that the rank stands behind. */
const MOST_ABOVE = 14;
const BEHIND = 15;
const EXCEPTION_BYTES = 3;

/**
 * Registers in half a byte each: a byte with the lowest rank, then how much each register is above it, two a byte, then those
 * that are too far above it: index (2 bytes) and rank.
 */
export function packRegisters(registers: Uint8Array): Uint8Array {
  const base = registers.reduce((lowest, rank) => Math.min(lowest, rank), 255);
  const far: number[] = [];
  registers.forEach((rank, i) => rank - base > MOST_ABOVE && far.push(i));
  const half = registers.length / 2;
  const packed = Buffer.alloc(1 + half + far.length * EXCEPTION_BYTES);
  packed[0] = base;
  for (let i = 0; i < half; i += 1) {
    packed[1 + i] = above(registers[2 * i]!, base) | (above(registers[2 * i + 1]!, base) << 4);
  }
  far.forEach((index, i) => {
    packed.writeUInt16LE(index, 1 + half + i * EXCEPTION_BYTES);
    packed[1 + half + i * EXCEPTION_BYTES + 2] = registers[index]!;
  });
  return packed;
}

const above = (rank: number, base: number): number => (rank - base > MOST_ABOVE ? BEHIND : rank - base);

/** Both registers of a packed byte, as two bytes (in the order of this machine). */
const pairs = new Uint16Array(256);
new Uint8Array(pairs.buffer).forEach((_, i, bytes) => (bytes[i] = i % 2 ? i >>> 5 : (i >>> 1) & 15));

/** Reads `count` registers that `packRegisters` wrote. */
export function unpackRegisters(packed: Uint8Array, count: number): Uint8Array {
  const registers = new Uint8Array(count);
  raiseByPacked(registers, packed);
  return registers;
}

const TOP_BITS = 0x8080;

/** Raises registers to those of a pack of as many: two at a time, which works since no rank has its byte's top bit set. */
export function raiseByPacked(registers: Uint8Array, packed: Uint8Array): void {
  const half = registers.length / 2;
  const own = new Uint16Array(registers.buffer, registers.byteOffset, half);
  const base = packed[0]! * 0x101;
  for (let i = 0; i < half; i += 1) {
    const x = own[i]!;
    const y = pairs[packed[i + 1]!]! + base;
    const notLess = ((x | TOP_BITS) - y) & TOP_BITS;
    const mask = notLess | (notLess - (notLess >>> 7));
    own[i] = (x & mask) | (y & ~mask);
  }
  for (let at = 1 + half; at < packed.length; at += EXCEPTION_BYTES) {
    const index = packed[at]! | (packed[at + 1]! << 8);
    registers[index] = Math.max(registers[index]!, packed[at + 2]!);
  }
}
