import type { Segment } from './segment.js';

/** Where one message lies. Kept in memory for every message; header and payload stay on disk. */
export interface Slot {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Bytes it counts against the stream's limit. */
  readonly size: number;
  readonly subject: SubjectLog;
  readonly segment: Segment;
  /** Where its record begins in the segment's file, and its bytes. */
  position: number;
  readonly length: number;
  live: boolean;
}

/** The messages of one literal subject, oldest first. */
export class SubjectLog {
  /** Messages that are not removed. */
  live = 0;
  #slots: Slot[] = [];

  constructor(readonly name: string) {}

  add(slot: Slot): void {
    this.#slots.push(slot);
    this.live++;
  }

  /** Says that one of its slots has just died. */
  removed(): void {
    this.live--;
    // Dead slots are swept when they are the majority: constant cost per removal.
    if (this.#slots.length > 32 && this.live * 2 < this.#slots.length) this.#slots = this.#slots.filter((s) => s.live);
  }

  /** The first live message at or after `seq`. */
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

  /** How many live messages there are at or after `seq`. */
  countFrom(seq: number): number {
    let count = 0;
    for (let n = lowerBound(this.#slots, seq); n < this.#slots.length; n++) if (this.#slots[n]!.live) count++;
    return count;
  }
}

/** Index of the first slot whose sequence is at least `seq`. */
function lowerBound(slots: readonly Slot[], seq: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
