import { packRegisters, raiseByPacked, raiseFour, unpackRegisters } from './packed-registers.js';
import { PLACES, placeOf, rankOf, registerOf } from './visitor-mark.js';

const PRECISION = 15;
const REGISTERS = 1 << PRECISION;
/** Bits of a hash after those that select the register. */
const BITS_BEHIND = 64 - PRECISION;
/** Maximum number of marks, at four bytes each: fewer bytes than registers at half a byte each. */
const MAX_MARKS = REGISTERS / 8 - 1;

/**
 * Estimates the number of unique visitors: HyperLogLog with 2^15 registers (standard error 0.57 %), and the visitors'
 * marks (practically exact) below 4,096. Sketches merge by the maximum of each register, in any order and any number of
 * times.
 */
export class VisitorSketch {
  /** In ascending order, one per place. */
  #marks = new Uint32Array(0);
  /** Place → rank of marks added since, greater than in `#marks`. */
  #added = new Map<number, number>();
  #unpacked: Uint8Array | undefined;
  /** Packed registers, unpacked on demand: most sketches are only merged into others. */
  #packed: Uint8Array | undefined;

  /** Reads the result of `bytes`. */
  static from(bytes: Uint8Array): VisitorSketch {
    const sketch = new VisitorSketch();
    if (bytes.length > MAX_MARKS * 4) sketch.#packed = bytes;
    // Copied, because 4-byte views must be aligned.
    else sketch.#marks = new Uint32Array(new Uint8Array(bytes).buffer);
    return sketch;
  }

  /**
   * Returns the stored form: half a byte per register (see `packRegisters`), or four bytes per mark in ascending order.
   */
  bytes(): Uint8Array {
    if (this.#packed) return this.#packed;
    if (this.#registers) return packRegisters(this.#registers);
    this.#settle();
    return new Uint8Array(this.#marks.buffer, this.#marks.byteOffset, this.#marks.byteLength);
  }

  add(mark: number): void {
    if (this.#registers) return raise(this.#registers, mark);
    const place = placeOf(mark);
    const rank = rankOf(mark);
    if (rank <= (this.#added.get(place) ?? this.#storedRank(place))) return;
    this.#added.set(place, rank);
    if (this.#marks.length + this.#added.size > MAX_MARKS) this.#toRegisters();
  }

  merge(other: VisitorSketch): void {
    if (other.#packed) {
      this.#toRegisters();
      return raiseByPacked(this.#registers!, other.#packed);
    }
    const theirs = other.#registers;
    if (!theirs) return other.#eachMark((mark) => this.add(mark));
    this.#toRegisters();
    raiseAll(this.#registers!, theirs);
  }

  /** Returns the number of unique visitors, rounded. */
  estimate(): number {
    if (this.#registers) return Math.round(estimateOf(this.#registers));
    this.#settle();
    return Math.round(-PLACES * Math.log1p(-this.#marks.length / PLACES));
  }

  get #registers(): Uint8Array | undefined {
    if (this.#packed) {
      this.#unpacked = unpackRegisters(this.#packed, REGISTERS);
      this.#packed = undefined;
    }
    return this.#unpacked;
  }

  #storedRank(place: number): number {
    const at = firstFrom(this.#marks, place);
    const found = this.#marks[at];
    return found !== undefined && placeOf(found) === place ? rankOf(found) : 0;
  }

  #eachMark(visit: (mark: number) => void): void {
    for (const mark of this.#marks) visit(mark);
    for (const [place, rank] of this.#added) visit(markOf(place, rank));
  }

  #toRegisters(): void {
    if (this.#registers) return;
    const registers = new Uint8Array(REGISTERS);
    this.#eachMark((mark) => raise(registers, mark));
    this.#unpacked = registers;
    this.#marks = new Uint32Array(0);
    this.#added.clear();
  }

  /** Merges fresh marks into the sorted ones. */
  #settle(): void {
    if (this.#added.size === 0) return;
    const fresh = Uint32Array.from(this.#added, ([place, rank]) => markOf(place, rank)).sort();
    const stored = this.#marks;
    const merged = new Uint32Array(stored.length + fresh.length);
    let count = 0;
    for (let i = 0, j = 0; i < stored.length || j < fresh.length;) {
      const left = i < stored.length ? placeOf(stored[i]!) : PLACES;
      const right = j < fresh.length ? placeOf(fresh[j]!) : PLACES;
      merged[count++] = right <= left ? fresh[j++]! : stored[i]!;
      if (left <= right) i += 1;
    }
    this.#marks = merged.slice(0, count);
    this.#added.clear();
  }
}

const markOf = (place: number, rank: number): number => place * 64 + rank;

/** Returns the index of the first mark at or after a place. */
function firstFrom(marks: Uint32Array, place: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (placeOf(marks[middle]!) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function raise(registers: Uint8Array, mark: number): void {
  const { register, rank } = registerOf(mark, PRECISION);
  if (rank > registers[register]!) registers[register] = rank;
}

function raiseAll(own: Uint8Array, theirs: Uint8Array): void {
  const [ours, others] = [words(own), words(theirs)];
  for (let i = 0; i < others.length; i += 1) raiseFour(ours, i, others[i]!);
}

const words = (registers: Uint8Array): Int32Array =>
  new Int32Array(registers.buffer, registers.byteOffset, REGISTERS / 4);

/**
 * The improved estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), algorithm
 * 6.
 */
function estimateOf(registers: Uint8Array): number {
  const counts = new Float64Array(BITS_BEHIND + 2);
  // An iterator would be several times slower.
  for (let i = 0; i < REGISTERS; i += 1) counts[registers[i]!]! += 1;
  let z = REGISTERS * tau(1 - counts[BITS_BEHIND + 1]! / REGISTERS);
  for (let rank = BITS_BEHIND; rank >= 1; rank -= 1) z = 0.5 * (z + counts[rank]!);
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
