import type { StatsClick } from './click.js';
import { ClickLog, type ClickLogState } from './click-log.js';
import { QUARTERS } from './quarters.js';
import { Tally, type SubjectKind, type TallyState } from './tally.js';

/** The stored form of a period: individual clicks while there are few, then a tally. */
export type PeriodState = { log: ClickLogState } | { tally: TallyState };

/** Maximum number of rows in a log of a day or a quarter hour. */
const MAX_ROWS = { day: 128, quarter: 64 };
/**
 * Maximum size of a log in bytes. A log can reach it before its maximum number of rows, for example if every click has
 * its own referrer.
 */
const MAX_LOG_BYTES = 4_096;
/**
 * Maximum number of rows in a temporary log. `add` uses such logs to add many clicks to a tally at once. A row refers
 * to four texts by 16-bit indexes. The indexes suffice for this number of rows even if no two texts are equal.
 */
const MAX_ADDED = 2 ** 16 / 4;

/** Clicks of a subject (see `SubjectKind`) on a UTC day, or in a quarter hour of a day with a tally. */
export class Period {
  #log: ClickLog | undefined;
  #tally: Tally | undefined;

  constructor(
    readonly kind: SubjectKind,
    readonly length: 'day' | 'quarter',
    state?: PeriodState,
  ) {
    if (state && 'tally' in state) this.#tally = Tally.from(kind, state.tally);
    else this.#log = new ClickLog(state?.log);
  }

  /** Individual clicks; undefined once there are too many. */
  get log(): ClickLog | undefined {
    return this.#log;
  }

  /** The tally; undefined while there are few clicks. */
  get tally(): Tally | undefined {
    return this.#tally;
  }

  /**
   * Adds clicks. Returns the clicks to add to the quarter hours of the day: none while there is a log, because
   * its rows contain the times.
   */
  add(clicks: StatsClick[]): StatsClick[] {
    const maxRows = MAX_ROWS[this.length];
    const log = this.#log;
    if (log && clicks.length <= 2 * maxRows) {
      log.add(clicks, maxRows);
      return log.length <= maxRows && log.bytes <= MAX_LOG_BYTES ? [] : this.toTally();
    }
    const before = this.toTally();
    for (let from = 0; from < clicks.length; from += MAX_ADDED) {
      const added = new ClickLog();
      added.add(clicks.slice(from, from + MAX_ADDED), Infinity);
      added.addTo(this.#tally!, 0, QUARTERS);
    }
    return before.concat(clicks);
  }

  /** Converts the log to a tally. Returns the clicks to add to the quarter hours of the day. */
  toTally(): StatsClick[] {
    const clicks = this.#log?.clicks() ?? [];
    this.#ensureTally();
    return clicks;
  }

  /** Adds a tally of the same subject, including its visitors. */
  merge(from: Tally): void {
    const tally = this.#ensureTally();
    tally.merge(from);
    tally.visitors.merge(from.visitors);
  }

  state(): PeriodState {
    if (this.#tally) return { tally: this.#tally.state(this.length === 'day') };
    return { log: this.#log!.state() };
  }

  /** Returns the tally, converting the log if necessary. */
  #ensureTally(): Tally {
    if (!this.#tally) {
      this.#tally = new Tally(this.kind);
      this.#log!.addTo(this.#tally, 0, QUARTERS);
      this.#log = undefined;
    }
    return this.#tally;
  }
}
