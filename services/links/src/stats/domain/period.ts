import type { StatsClick } from './click.js';
import { ClickLog, type ClickLogState } from './click-log.js';
import { QUARTERS } from './quarters.js';
import { Tally, type SubjectKind, type TallyState } from './tally.js';

/** How a period is kept: clicks on their own while they are few, or counted together. */
export type PeriodState = { log: ClickLogState } | { tally: TallyState };

/** Rows that a log has at most, before its period is counted together: of a day, of a quarter of an hour. */
const MAX_ROWS = { day: 128, quarter: 64 };
/** Bytes of a log at most: texts are long where every click has a referrer of its own. */
const MAX_LOG_BYTES = 4_096;

/** What a subject had on a UTC day, or in a quarter of an hour of a day that has its clicks counted together. */
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

  /** The clicks on their own, while they are few. */
  get log(): ClickLog | undefined {
    return this.#log;
  }

  /** The clicks counted together, once they are many. */
  get tally(): Tally | undefined {
    return this.#tally;
  }

  /** Adds clicks. Answers those that the quarters of a day must be told: none while a log tells the quarters itself. */
  add(clicks: StatsClick[]): StatsClick[] {
    const most = MAX_ROWS[this.length];
    const log = this.#log;
    if (log && clicks.length <= 2 * most) {
      log.add(clicks, most);
      return log.length <= most && log.bytes <= MAX_LOG_BYTES ? [] : this.countTogether();
    }
    const before = this.countTogether();
    const added = new ClickLog();
    added.add(clicks, Infinity);
    added.addTo(this.#tally!, 0, QUARTERS);
    return before.concat(clicks);
  }

  /** Counts the clicks on their own together, and answers them, for the quarters of a day must be told. */
  countTogether(): StatsClick[] {
    const clicks = this.#log?.clicks() ?? [];
    this.#counted();
    return clicks;
  }

  /** Adds what a tally of the same subject counted, its visitors included. */
  merge(from: Tally): void {
    const tally = this.#counted();
    tally.merge(from);
    tally.visitors.merge(from.visitors);
  }

  state(): PeriodState {
    if (this.#tally) return { tally: this.#tally.state(this.length === 'day') };
    return { log: this.#log!.state() };
  }

  /** The tally, made of the clicks on their own where it does not exist yet. */
  #counted(): Tally {
    if (!this.#tally) {
      this.#tally = new Tally(this.kind);
      this.#log!.addTo(this.#tally, 0, QUARTERS);
      this.#log = undefined;
    }
    return this.#tally;
  }
}
