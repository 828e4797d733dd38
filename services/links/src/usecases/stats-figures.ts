import type { StatsRange } from '../domain/stats/range.js';
import type { ClickLog } from '../domain/stats/click-log.js';
import { Period } from '../domain/stats/period.js';
import { QUARTER_MS, QUARTERS } from '../domain/stats/quarters.js';
import { dayIdOf, dayOfId, daysBetween, quarterId, quarterOfId } from '../domain/stats/subject.js';
import { Tally, type SubjectKind } from '../domain/stats/tally.js';
import { VisitorSketch } from '../domain/stats/visitor-sketch.js';
import type { ReadPeriods, StatsStore } from '../store/stats.js';

/** A point of the series. */
interface Point {
  clicks: number;
  visitors: VisitorSketch;
}

/** The part of a day that a range counts, in quarters of an hour. */
interface Cut {
  day: number;
  from: number;
  to: number;
}

/** Keys that sums over many days keep of each dimension. */
const KEPT = 4_096;
/** More days than these are looked for as one range of ids. */
const MOST_RANGES = 64;

/** What is told of a subject over a range of time. */
export class StatsFigures {
  readonly total: Tally;
  readonly #points: Point[];

  private constructor(
    private readonly kind: SubjectKind,
    private readonly range: StatsRange,
  ) {
    this.total = new Tally(kind, KEPT);
    this.#points = range.starts.map(() => ({ clicks: 0, visitors: new VisitorSketch() }));
  }

  /**
   * Reads a subject's days, one range of ids; and of those days that are kept counted together and lie in the range, or in
   * one point of its series, in part, the quarters of an hour.
   */
  static read(store: StatsStore, kind: SubjectKind, id: string, range: StatsRange): Promise<StatsFigures> {
    return store.snapshot(async (read) => {
      const figures = new StatsFigures(kind, range);
      await figures.#add(read, id);
      return figures;
    });
  }

  async #add(read: ReadPeriods, subject: string): Promise<void> {
    const days = daysBetween(subject, this.range.counted.from, this.range.counted.to - 1);
    const divided = new Map<string, Cut>();
    for await (const { id, state } of read('days', [days])) {
      const cut = this.#cutOf(dayOfId(id));
      if (!this.#addDay(new Period(this.kind, 'day', state), cut)) divided.set(dayIdOf(id), cut);
    }
    for await (const { id, state } of read('quarters', rangesOf(divided, days))) {
      const cut = divided.get(id.slice(0, id.lastIndexOf('/')));
      if (cut) this.#addQuarter(new Period(this.kind, 'quarter', state), cut, quarterOfId(id));
    }
    for (const { visitors } of this.#points) this.total.visitors.merge(visitors);
  }

  /** One for each of the range's points, those without clicks too. */
  series(): { time: string; clicks: number; uniques: number }[] {
    return this.#points.map(({ clicks, visitors }, i) => ({
      time: new Date(this.range.starts[i]!).toISOString(),
      clicks,
      uniques: visitors.estimate(),
    }));
  }

  /** Counts a day, and answers whether that is all: false when its quarters are still to be counted. */
  #addDay({ log, tally }: Period, cut: Cut): boolean {
    if (log) {
      this.#addLog(log, cut);
      return true;
    }
    const { day, from, to } = cut;
    this.#addSeries(cut, tally!.quarters);
    const whole = from === 0 && to === QUARTERS;
    if (whole) this.total.merge(tally!);
    const [first, last] = [this.#pointAt(day, from), this.#pointAt(day, to - 1)];
    if (!whole || first !== last) return false;
    first.visitors.merge(tally!.visitors);
    return true;
  }

  /** Counts straight into the totals: a tally for each day's latest clicks would take longer than these. */
  #addLog(log: ClickLog, cut: Cut): void {
    const { quarters } = this.total;
    const before = quarters.slice(0, QUARTERS);
    log.addTo(this.total, cut.from, cut.to, (quarter) => this.#pointAt(cut.day, quarter).visitors);
    this.#addSeries(
      cut,
      before.map((clicks, quarter) => quarters[quarter]! - clicks),
    );
  }

  #addSeries({ day, from, to }: Cut, quarters: Uint32Array): void {
    for (let quarter = from; quarter < to; quarter += 1) {
      if (quarters[quarter]) this.#pointAt(day, quarter).clicks += quarters[quarter]!;
    }
  }

  #addQuarter({ log, tally }: Period, { day, from, to }: Cut, quarter: number): void {
    if (quarter < from || quarter >= to) return;
    const { visitors } = this.#pointAt(day, quarter);
    const counted = tally ?? new Tally(this.kind, KEPT);
    log?.addTo(counted, quarter, quarter + 1, () => visitors);
    if (tally) visitors.merge(tally.visitors);
    // A whole day's own sums are counted already.
    if (from > 0 || to < QUARTERS) this.total.merge(counted);
  }

  #cutOf(day: number): Cut {
    const { from, to } = this.range.counted;
    return {
      day,
      from: Math.max(0, (from - day) / QUARTER_MS),
      to: Math.min(QUARTERS, (to - day) / QUARTER_MS),
    };
  }

  /** The last point that began by then. */
  #pointAt(day: number, quarter: number): Point {
    const at = day + quarter * QUARTER_MS;
    const { starts } = this.range;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return this.#points[low]!;
  }
}

function rangesOf(divided: Map<string, Cut>, days: { $gte: string; $lt: string }): { $gte: string; $lt: string }[] {
  if (divided.size > MOST_RANGES) return [days];
  return Array.from(divided, ([day, { from, to }]) => ({
    $gte: quarterId(day, from),
    $lt: `${quarterId(day, to - 1)}0`,
  }));
}
