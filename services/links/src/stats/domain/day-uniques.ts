import { QUARTERS } from './quarters.js';
import { VisitorSketch } from './visitor-sketch.js';

/** Quarter hours per hour. */
const HOUR = 4;
/** Offsets of the counts for the rest of the day and for hours. Counts for the day so far come first. */
const [RESTS, HOURS] = [QUARTERS, 2 * QUARTERS];
const LENGTH = HOURS + QUARTERS - HOUR + 1;

/**
 * Counts of unique visitors of a past UTC day: until each quarter hour, from each quarter hour, and for the hour
 * starting at each quarter hour. These cover every part of the day that an hour, day or month of another zone contains,
 * except for hours that clock changes make longer or shorter.
 */
export class DayUniques {
  private constructor(private readonly counts: Uint32Array) {}

  /** Reads the result of `bytes`. */
  static from(bytes: Uint8Array): DayUniques {
    // Copied, because 4-byte views must be aligned.
    return new DayUniques(new Uint32Array(new Uint8Array(bytes).buffer));
  }

  /** Counts the visitors of a day's quarter hours. Quarter hours without clicks are omitted. */
  static of(quarters: ReadonlyMap<number, VisitorSketch>): DayUniques {
    const counts = new Uint32Array(LENGTH);
    const [soFar, rest] = [new Union(quarters), new Union(quarters)];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) counts[quarter] = soFar.with(quarter, 1);
    for (let quarter = QUARTERS - 1; quarter >= 0; quarter -= 1) counts[RESTS + quarter] = rest.with(quarter, 1);
    for (let at = HOURS; at < LENGTH; at += 1) counts[at] = new Union(quarters).with(at - HOURS, HOUR);
    return new DayUniques(counts);
  }

  /** Returns the number of visitors from one quarter hour to another (exclusive); undefined if it is not stored. */
  between(from: number, to: number): number | undefined {
    if (from === 0) return this.counts[to - 1];
    if (to === QUARTERS) return this.counts[RESTS + from];
    return to - from === HOUR ? this.counts[HOURS + from] : undefined;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.counts.buffer);
  }
}

/** The union of the visitors of several quarter hours. */
class Union {
  readonly #sketch = new VisitorSketch();
  #estimate = 0;

  constructor(private readonly quarters: ReadonlyMap<number, VisitorSketch>) {}

  /** Adds `count` quarter hours starting with `first`. Returns the number of visitors including them. */
  with(first: number, count: number): number {
    const added = Array.from({ length: count }, (_, i) => this.quarters.get(first + i)).filter(
      (each) => each !== undefined,
    );
    if (added.length === 0) return this.#estimate;
    for (const each of added) this.#sketch.merge(each);
    return (this.#estimate = this.#sketch.estimate());
  }
}
