import type { Segment } from './segment.js';

/** Position of a message. Kept in memory for every message; header and payload stay on disk. */
export interface Slot {
  readonly seq: number;
  /** Unix ms. */
  readonly time: number;
  /** Size in bytes, as counted for the stream's `max_bytes`. */
  readonly size: number;
  readonly subject: SubjectLog;
  readonly segment: Segment;
  /** Offset of its record in the segment file. */
  position: number;
  /** Size of the record in bytes. */
  readonly length: number;
  live: boolean;
}

/** Messages of one literal subject, oldest first. */
export class SubjectLog {
  /** Number of live messages. */
  live = 0;
  #slots: Slot[] = [];

  constructor(readonly name: string) {}

  add(slot: Slot): void {
    this.#slots.push(slot);
    this.live++;
  }

  /** Must be called after a message of this subject was removed. */
  removed(): void {
    this.live--;
    // Sweep removed slots when they are the majority, for an amortized constant cost.
    if (this.#slots.length > 32 && this.live * 2 < this.#slots.length) this.#slots = this.#slots.filter((s) => s.live);
  }

  /** Returns the first live message with a sequence of at least `seq`. */
  next(seq: number): Slot | undefined {
    let n = lowerBound(this.#slots, seq);
    while (this.#slots[n]?.live === false) n++;
    return this.#slots[n];
  }

  last(): Slot | undefined {
    let n = this.#slots.length - 1;
    while (this.#slots[n]?.live === false) n--;
    return this.#slots[n];
  }

  /** Returns the number of live messages with a sequence of at least `seq`. */
  countFrom(seq: number): number {
    let count = 0;
    for (let n = lowerBound(this.#slots, seq); n < this.#slots.length; n++) if (this.#slots[n]!.live) count++;
    return count;
  }
}

/** Returns the index of the first slot with a sequence of at least `seq`. */
function lowerBound(slots: readonly Slot[], seq: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
