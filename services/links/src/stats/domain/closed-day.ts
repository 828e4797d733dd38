import { DayUniques } from './day-uniques.js';
import type { KeyCountsState } from './key-counts.js';
import { QUARTERS } from './quarters.js';
import type { Dimension, Tally } from './tally.js';

/** How a day that is over is stored beside its tally: what statistics of whole days need, in a form that is fast to read. */
export interface ClosedDayState {
  clicks: number;
  bots: number;
  /** As of a tally. */
  quarters: Uint8Array;
  /** See `DayUniques`. */
  uniques: Uint8Array;
  /** JSON of the counts by dimension: one element for the database's driver instead of two for each key. */
  by: string;
}

/** The counts of a day that is over, with the visitors of its parts. */
export class ClosedDay {
  readonly uniques: DayUniques;
  readonly #quarters: Uint32Array;

  constructor(private readonly stored: ClosedDayState) {
    this.uniques = DayUniques.from(stored.uniques);
    // Copied, since views of four bytes must begin at a multiple of four.
    this.#quarters = new Uint32Array(new Uint8Array(stored.quarters).buffer);
  }

  /** Returns what is to be stored of a day. */
  static stateOf(tally: Tally, uniques: DayUniques): ClosedDayState {
    const { clicks, bots, by, quarters = new Uint8Array() } = tally.state(true);
    return { clicks, bots, quarters, uniques: uniques.bytes(), by: JSON.stringify(by) };
  }

  /** Returns the clicks by humans from one quarter up to another, not included. */
  clicksBetween(from: number, to: number): number {
    return sumOf(this.#quarters, from, to);
  }

  /** Adds the whole day to a tally, but for its visitors. */
  addTo(tally: Tally): void {
    const { clicks, bots, by } = this.stored;
    tally.clicks += clicks;
    tally.bots += bots;
    for (let i = 0; i < 2 * QUARTERS; i += 1) tally.quarters[i]! += this.#quarters[i]!;
    const counts = JSON.parse(by) as Record<Dimension, KeyCountsState>;
    for (const [dimension, state] of tally.by) state.addState(counts[dimension]);
  }
}

/** Clicks by humans from one quarter up to another (not included), of the quarters of a tally. */
export function sumOf(quarters: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let quarter = from; quarter < to; quarter += 1) sum += quarters[quarter]!;
  return sum;
}
