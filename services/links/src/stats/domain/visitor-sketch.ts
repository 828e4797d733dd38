import { packRegisters, raiseByPacked, raiseFour, unpackRegisters } from './packed-registers.js';
import { PLACES, placeOf, rankOf, registerOf } from './visitor-mark.js';

const PRECISION = 15;
const REGISTERS = 1 << PRECISION;
/** Bits of a hash behind those that choose the register. */
const BITS_BEHIND = 64 - PRECISION;
/** Marks, four bytes each, always take fewer bytes than registers, half a byte each. */
const MAX_MARKS = REGISTERS / 8 - 1;

/**
 * How many different visitors there were: HyperLogLog over 2^15 registers (standard error 0.57 %), and the visitors' marks
 * themselves (as good as exact) while they are fewer than 4,096. Sketches merge by the greater of each register, in
 * whatever order and however often.
 */
export class VisitorSketch {
  /** As stored: in ascending order, one a place. */
  #marks = new Uint32Array(0);
  /** Place → rank of what came since, greater than what `#marks` has. */
  #fresh = new Map<number, number>();
  #unpacked: Uint8Array | undefined;
  /** Registers as stored, until one is asked for: most sketches that are read are but merged into others. */
  #packed: Uint8Array | undefined;

  /** Reads what `bytes` wrote. */
  static from(bytes: Uint8Array): VisitorSketch {
    const sketch = new VisitorSketch();
    if (bytes.length > MAX_MARKS * 4) sketch.#packed = bytes;
    // Copied, since views of four bytes must begin at a multiple of four.
    else sketch.#marks = new Uint32Array(new Uint8Array(bytes).buffer);
    return sketch;
  }

  /** Half a byte for each register (see `packRegisters`), or else four for each mark, in ascending order. */
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
    if (rank <= (this.#fresh.get(place) ?? this.#storedRank(place))) return;
    this.#fresh.set(place, rank);
    if (this.#marks.length + this.#fresh.size > MAX_MARKS) this.#spread();
  }

  merge(other: VisitorSketch): void {
    if (other.#packed) {
      this.#spread();
      return raiseByPacked(this.#registers!, other.#packed);
    }
    const theirs = other.#registers;
    if (!theirs) return other.#eachMark((mark) => this.add(mark));
    this.#spread();
    raiseAll(this.#registers!, theirs);
  }

  /** The number of different visitors, rounded. */
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
    for (const [place, rank] of this.#fresh) visit(markOf(place, rank));
  }

  #spread(): void {
    if (this.#registers) return;
    const registers = new Uint8Array(REGISTERS);
    this.#eachMark((mark) => raise(registers, mark));
    this.#unpacked = registers;
    this.#marks = new Uint32Array(0);
    this.#fresh.clear();
  }

  /** Moves what is fresh to its place among the others. */
  #settle(): void {
    if (this.#fresh.size === 0) return;
    const fresh = Uint32Array.from(this.#fresh, ([place, rank]) => markOf(place, rank)).sort();
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
    this.#fresh.clear();
  }
}

const markOf = (place: number, rank: number): number => place * 64 + rank;

/** Index of the first mark at a place or behind it. */
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

/** The improved estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), algorithm 6. */
function estimateOf(registers: Uint8Array): number {
  const counts = new Float64Array(BITS_BEHIND + 2);
  // An iterator would take several times as long.
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
