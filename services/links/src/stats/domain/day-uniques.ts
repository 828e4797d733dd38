import { QUARTERS } from './quarters.js';
import { VisitorSketch } from './visitor-sketch.js';

/** Quarters in an hour. */
const HOUR = 4;
/** Where the numbers of the rest of the day, and of hours, begin; before them are those of the day so far. */
const [RESTS, HOURS] = [QUARTERS, 2 * QUARTERS];
const LENGTH = HOURS + QUARTERS - HOUR + 1;

/**
 * Numbers of different visitors of a UTC day that is over: up to each quarter of an hour, from each quarter on, and in each
 * hour that begins at a quarter. Every part of the day that an hour, a day or a month of another zone covers is one of these,
 * but for hours that clocks make longer or shorter.
 */
export class DayUniques {
  private constructor(private readonly counts: Uint32Array) {}

  /** Reads what `bytes` wrote. */
  static from(bytes: Uint8Array): DayUniques {
    // Copied, since views of four bytes must begin at a multiple of four.
    return new DayUniques(new Uint32Array(new Uint8Array(bytes).buffer));
  }

  /** Counts the visitors of a day's quarters; quarters without clicks are left out. */
  static of(quarters: ReadonlyMap<number, VisitorSketch>): DayUniques {
    const counts = new Uint32Array(LENGTH);
    const [soFar, rest] = [new Union(quarters), new Union(quarters)];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) counts[quarter] = soFar.with(quarter, 1);
    for (let quarter = QUARTERS - 1; quarter >= 0; quarter -= 1) counts[RESTS + quarter] = rest.with(quarter, 1);
    for (let at = HOURS; at < LENGTH; at += 1) counts[at] = new Union(quarters).with(at - HOURS, HOUR);
    return new DayUniques(counts);
  }

  /** Returns the number of visitors from one quarter up to another (not included), undefined where it is not kept. */
  between(from: number, to: number): number | undefined {
    if (from === 0) return this.counts[to - 1];
    if (to === QUARTERS) return this.counts[RESTS + from];
    return to - from === HOUR ? this.counts[HOURS + from] : undefined;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.counts.buffer);
  }
}

/** The visitors of some quarters of a day. */
class Union {
  readonly #sketch = new VisitorSketch();
  #estimate = 0;

  constructor(private readonly quarters: ReadonlyMap<number, VisitorSketch>) {}

  /** Adds `count` quarters from the first on. Returns the number of visitors with them. */
  with(first: number, count: number): number {
    const added = Array.from({ length: count }, (_, i) => this.quarters.get(first + i)).filter(
      (each) => each !== undefined,
    );
    if (added.length === 0) return this.#estimate;
    for (const each of added) this.#sketch.merge(each);
    return (this.#estimate = this.#sketch.estimate());
  }
}
