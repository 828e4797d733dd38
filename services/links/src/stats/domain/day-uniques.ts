import { QUARTERS } from './quarters.js';
import { VisitorSketch } from './visitor-sketch.js';

const QUARTERS_PER_HOUR = 4;
/**
 * Positions of the counts: first those from midnight to the end of each quarter hour, then (REST_OFFSET) those from
 * each quarter hour to midnight, then (HOURS_OFFSET) those of the hour that starts at each quarter hour.
 */
const [REST_OFFSET, HOURS_OFFSET] = [QUARTERS, 2 * QUARTERS];
const LENGTH = HOURS_OFFSET + QUARTERS - QUARTERS_PER_HOUR + 1;

/**
 * Counts of unique visitors of a past UTC day: up to the end of each quarter hour, from the start of each quarter hour,
 * and for the hour starting at each quarter hour. The part of the day that falls within an hour, day or month of
 * another zone is always one of these, except for an hour that lasts 90 minutes (see `bucketStarts`).
 */
export class DayUniques {
  private constructor(private readonly counts: Uint32Array) {}

  /** Restores the counts from the result of `bytes()`. */
  static from(bytes: Uint8Array): DayUniques {
    // Copied, because 4-byte views must be aligned.
    return new DayUniques(new Uint32Array(new Uint8Array(bytes).buffer));
  }

  /** Counts the visitors of a day. `quarters` has no entries for quarter hours without clicks. */
  static of(quarters: ReadonlyMap<number, VisitorSketch>): DayUniques {
    const counts = new Uint32Array(LENGTH);
    const [soFar, rest] = [new Union(quarters), new Union(quarters)];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) counts[quarter] = soFar.with(quarter, 1);
    for (let quarter = QUARTERS - 1; quarter >= 0; quarter -= 1) counts[REST_OFFSET + quarter] = rest.with(quarter, 1);
    for (let at = HOURS_OFFSET; at < LENGTH; at += 1)
      counts[at] = new Union(quarters).with(at - HOURS_OFFSET, QUARTERS_PER_HOUR);
    return new DayUniques(counts);
  }

  /** Returns the number of visitors in the quarter hours `from` to `to` (exclusive); undefined if it is not stored. */
  between(from: number, to: number): number | undefined {
    if (from === 0) return this.counts[to - 1];
    if (to === QUARTERS) return this.counts[REST_OFFSET + from];
    return to - from === QUARTERS_PER_HOUR ? this.counts[HOURS_OFFSET + from] : undefined;
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

  /** Adds `count` quarter hours from `first` on. Returns the number of visitors in all quarter hours added so far. */
  with(first: number, count: number): number {
    const added = Array.from({ length: count }, (_, i) => this.quarters.get(first + i)).filter(
      (each) => each !== undefined,
    );
    if (added.length === 0) return this.#estimate;
    for (const each of added) this.#sketch.merge(each);
    return (this.#estimate = this.#sketch.estimate());
  }
}
