import { mergeFour, mergePacked, packRegisters, unpackRegisters } from './packed-registers.js';
import { INDEXES, indexOf, rankOf, registerOf } from './visitor-hash.js';

const PRECISION = 15;
const REGISTERS = 1 << PRECISION;
/** Number of bits after the register number in the 64-bit hash that `visitorHash` reduces to 32 bits. */
const BITS_AFTER_REGISTER = 64 - PRECISION;
/** The largest number of hashes (four bytes each) that take less space than the registers (half a byte each). */
const MAX_HASHES = REGISTERS / 8 - 1;

/**
 * Estimates the number of unique visitors: up to 4,095 from their hashes (practically exact), beyond that by
 * HyperLogLog with 2^15 registers (standard error 0.57%). A merge takes the union of the hashes, or the maximum of each
 * register, so sketches can be merged in any order and any number of times.
 */
export class VisitorSketch {
  /** In ascending order. No two hashes have the same index (see `visitorHash`). */
  #hashes: Uint32Array = new Uint32Array(0);
  /**
   * Hashes not yet merged into `#hashes`: the rank of each hash by its index. If a hash in `#hashes` has the same
   * index, the rank of that hash is lower.
   */
  #added = new Map<number, number>();
  #unpacked: Uint8Array | undefined;
  /** Packed registers, unpacked on demand: most sketches are only merged into others. */
  #packed: Uint8Array | undefined;

  /** Restores a sketch from the result of `bytes`. */
  static from(bytes: Uint8Array): VisitorSketch {
    const sketch = new VisitorSketch();
    if (bytes.length > MAX_HASHES * 4) sketch.#packed = bytes;
    // Copied, because 4-byte views must be aligned.
    else sketch.#hashes = new Uint32Array(new Uint8Array(bytes).buffer);
    return sketch;
  }

  /**
   * Returns the stored form: half a byte per register (see `packRegisters`), or four bytes per hash in ascending order.
   */
  bytes(): Uint8Array {
    if (this.#packed) return this.#packed;
    if (this.#registers) return packRegisters(this.#registers);
    this.#settle();
    return new Uint8Array(this.#hashes.buffer, this.#hashes.byteOffset, this.#hashes.byteLength);
  }

  add(hash: number): void {
    if (this.#registers) return raise(this.#registers, hash);
    const index = indexOf(hash);
    const rank = rankOf(hash);
    if (rank <= (this.#added.get(index) ?? this.#storedRank(index))) return;
    this.#added.set(index, rank);
    if (this.#hashes.length + this.#added.size > MAX_HASHES) this.#toRegisters();
  }

  merge(other: VisitorSketch): void {
    if (other.#packed) {
      this.#toRegisters();
      return mergePacked(this.#registers!, other.#packed);
    }
    const theirs = other.#registers;
    if (theirs) {
      this.#toRegisters();
      return raiseAll(this.#registers!, theirs);
    }
    const registers = this.#registers;
    if (registers) return other.#eachHash((hash) => raise(registers, hash));
    other.#settle();
    this.#settle();
    this.#hashes = union(this.#hashes, other.#hashes);
    if (this.#hashes.length > MAX_HASHES) this.#toRegisters();
  }

  /** Returns the number of unique visitors, rounded. */
  estimate(): number {
    if (this.#registers) return Math.round(estimateOf(this.#registers));
    this.#settle();
    return Math.round(-INDEXES * Math.log1p(-this.#hashes.length / INDEXES));
  }

  get #registers(): Uint8Array | undefined {
    if (this.#packed) {
      this.#unpacked = unpackRegisters(this.#packed, REGISTERS);
      this.#packed = undefined;
    }
    return this.#unpacked;
  }

  #storedRank(index: number): number {
    const at = lowerBound(this.#hashes, index);
    const found = this.#hashes[at];
    return found !== undefined && indexOf(found) === index ? rankOf(found) : 0;
  }

  #eachHash(visit: (hash: number) => void): void {
    for (const hash of this.#hashes) visit(hash);
    for (const [index, rank] of this.#added) visit(encode(index, rank));
  }

  #toRegisters(): void {
    if (this.#registers) return;
    const registers = new Uint8Array(REGISTERS);
    this.#eachHash((hash) => raise(registers, hash));
    this.#unpacked = registers;
    this.#hashes = new Uint32Array(0);
    this.#added.clear();
  }

  /** Merges the added hashes into the sorted ones. */
  #settle(): void {
    if (this.#added.size === 0) return;
    const added = Uint32Array.from(this.#added, ([index, rank]) => encode(index, rank)).sort();
    this.#hashes = union(this.#hashes, added);
    this.#added.clear();
  }
}

const encode = (index: number, rank: number): number => index * 64 + rank;

/** Returns the union of two ascending lists of hashes, with the highest rank for each index. */
function union(some: Uint32Array, others: Uint32Array): Uint32Array {
  if (some.length === 0) return others;
  const merged = new Uint32Array(some.length + others.length);
  let count = 0;
  for (let i = 0, j = 0; i < some.length || j < others.length;) {
    const left = i < some.length ? indexOf(some[i]!) : INDEXES;
    const right = j < others.length ? indexOf(others[j]!) : INDEXES;
    merged[count++] = left < right ? some[i]! : left > right ? others[j]! : Math.max(some[i]!, others[j]!);
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return merged.slice(0, count);
}

/** Returns the position of the first hash whose index is at least `index`. */
function lowerBound(hashes: Uint32Array, index: number): number {
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (indexOf(hashes[middle]!) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function raise(registers: Uint8Array, hash: number): void {
  const { register, rank } = registerOf(hash, PRECISION);
  if (rank > registers[register]!) registers[register] = rank;
}

function raiseAll(own: Uint8Array, theirs: Uint8Array): void {
  const [ours, others] = [words(own), words(theirs)];
  for (let i = 0; i < others.length; i += 1) mergeFour(ours, i, others[i]!);
}

const words = (registers: Uint8Array): Int32Array =>
  new Int32Array(registers.buffer, registers.byteOffset, REGISTERS / 4);

/**
 * The improved estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), algorithm
 * 6.
 */
function estimateOf(registers: Uint8Array): number {
  const counts = new Float64Array(BITS_AFTER_REGISTER + 2);
  // An iterator would be several times slower.
  for (let i = 0; i < REGISTERS; i += 1) counts[registers[i]!]! += 1;
  let z = REGISTERS * tau(1 - counts[BITS_AFTER_REGISTER + 1]! / REGISTERS);
  for (let rank = BITS_AFTER_REGISTER; rank >= 1; rank -= 1) z = 0.5 * (z + counts[rank]!);
  z += REGISTERS * sigma(counts[0]! / REGISTERS);
  return REGISTERS ** 2 / (2 * Math.LN2 * z);
}

function sigma(share: number): number {
  if (share === 1) return Infinity;
  let [x, y, z, before] = [share, 1, share, NaN];
  while (z !== before) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [x, y, z, before] = [share, 1, 1 - share, NaN];
  while (z !== before) {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
