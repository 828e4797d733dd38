import { DayUniques } from './day-uniques.js';
import type { KeyCountsState } from './key-counts.js';
import { QUARTERS } from './quarters.js';
import type { Dimension, Tally } from './tally.js';

/**
 * The counts of a closed day in a form that is fast to read, stored next to the day's tally. Most statistics can be
 * computed from these counts without the tally.
 */
export interface ClosedDayState {
  clicks: number;
  bots: number;
  /** See `TallyState`. */
  quarters: Uint8Array;
  /** See `DayUniques`. */
  uniques: Uint8Array;
  /**
   * Counts by dimension (`KeyCountsState`), as JSON, so that the database driver decodes one string instead of two
   * array elements for each key: the key and its count.
   */
  by: string;
}

/**
 * The counts of a closed day, including the numbers of unique visitors in parts of the day (see `DayUniques`). A day
 * (UTC) is closed by `closeDays`, at the earliest an hour after the day ends.
 */
export class ClosedDay {
  readonly uniques: DayUniques;
  readonly #quarters: Uint32Array;

  constructor(private readonly stored: ClosedDayState) {
    this.uniques = DayUniques.from(stored.uniques);
    // Copied, because 4-byte views must be aligned.
    this.#quarters = new Uint32Array(new Uint8Array(stored.quarters).buffer);
  }

  /** Returns the stored form of a day. */
  static stateOf(tally: Tally, uniques: DayUniques): ClosedDayState {
    const { clicks, bots, by, quarters = new Uint8Array() } = tally.state(true);
    return { clicks, bots, quarters, uniques: uniques.bytes(), by: JSON.stringify(by) };
  }

  /** Returns the number of human clicks in the quarter hours `from` to `to` (exclusive). */
  clicksBetween(from: number, to: number): number {
    return sumOf(this.#quarters, from, to);
  }

  /** Adds the whole day to a tally, except its unique visitors. */
  addTo(tally: Tally): void {
    const { clicks, bots, by } = this.stored;
    tally.clicks += clicks;
    tally.bots += bots;
    for (let i = 0; i < 2 * QUARTERS; i += 1) tally.quarters[i]! += this.#quarters[i]!;
    const states = JSON.parse(by) as Record<Dimension, KeyCountsState>;
    for (const [dimension, counts] of tally.by) counts.addState(states[dimension]);
  }
}

/** Returns the sum of the counts of the quarter hours `from` to `to` (exclusive). */
export function sumOf(quarters: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let quarter = from; quarter < to; quarter += 1) sum += quarters[quarter]!;
  return sum;
}
