import type { StatsRange } from '../domain/range.js';
import { ClickLog } from '../domain/click-log.js';
import { ClosedDay, sumOf, type ClosedDayState } from '../domain/closed-day.js';
import { Period } from '../domain/period.js';
import { QUARTER_MS, QUARTERS } from '../domain/quarters.js';
import { dayIdOf, dayOfId, daysBetween, quarterId, quarterOfId } from '../domain/subject.js';
import { Tally, type SubjectKind } from '../domain/tally.js';
import { VisitorSketch } from '../domain/visitor-sketch.js';
import type { StatsReader, StatsStore } from '../store/stats.js';

/** A point of the series. */
interface Point {
  clicks: number;
  /** Of closed days: visitors are named anew each day, so the numbers of different days add up. */
  uniques: number;
  /** Of other days. */
  visitors?: VisitorSketch;
}

/** The part of a day that a range counts, in quarters of an hour. */
interface Cut {
  day: number;
  from: number;
  to: number;
}

/** The part of a day that lies in one point. */
interface Part {
  point: Point;
  from: number;
  to: number;
}

/** Keys that sums over many days keep of each dimension. */
const KEPT = 4_096;
/** More days than these are looked for as one range of ids. */
const MAX_RANGES = 64;

/** Statistics of a subject over a range of time. */
export class StatsFigures {
  readonly total: Tally;
  readonly #points: Point[];
  /** Visitors of closed days. */
  #uniques = 0;

  private constructor(
    private readonly kind: SubjectKind,
    private readonly range: StatsRange,
  ) {
    this.total = new Tally(kind, KEPT);
    this.#points = range.starts.map(() => ({ clicks: 0, uniques: 0 }));
  }

  /**
   * Reads a subject's days, one range of ids; the tallies of those that are not closed; and of those that the range, or points of
   * the series, divide, the quarters of an hour. Closed days are divided by the points of any zone without that.
   */
  static read(store: StatsStore, kind: SubjectKind, id: string, range: StatsRange): Promise<StatsFigures> {
    return store.snapshot(async (read) => {
      const figures = new StatsFigures(kind, range);
      await figures.#add(read, id);
      return figures;
    });
  }

  /** Number of different visitors of the range. */
  get uniques(): number {
    return this.#uniques + this.total.visitors.estimate();
  }

  /** One for each of the range's points, those without clicks too. */
  series(): { time: string; clicks: number; uniques: number }[] {
    return this.#points.map(({ clicks, uniques, visitors }, i) => ({
      time: new Date(this.range.starts[i]!).toISOString(),
      clicks,
      uniques: uniques + (visitors?.estimate() ?? 0),
    }));
  }

  async #add(read: StatsReader, subject: string): Promise<void> {
    const days = daysBetween(subject, this.range.counted.from, this.range.counted.to - 1);
    const divided = new Map<string, Cut>();
    // Workspaces' days are never closed.
    const tallies = this.kind === 'link' ? await this.#addDays(read, days) : [days];
    for await (const { id, state } of read.periods('days', tallies)) {
      const cut = this.#cutOf(id);
      const { log, tally } = new Period(this.kind, 'day', state);
      if (log) this.#addLog(log, cut);
      else if (!this.#addTally(tally!, cut)) divided.set(dayIdOf(id), cut);
    }
    for await (const { id, state } of read.periods('quarters', rangesOf(divided, days))) {
      const cut = divided.get(id.slice(0, id.lastIndexOf('/')));
      if (cut) this.#addQuarter(new Period(this.kind, 'quarter', state), cut, quarterOfId(id));
    }
    for (const { visitors } of this.#points) if (visitors) this.total.visitors.merge(visitors);
  }

  /** Counts the days' own documents and the closed days. Returns the ids of the tallies that are still to be counted. */
  async #addDays(read: StatsReader, days: { $gte: string; $lt: string }): Promise<{ $in: string[] }[]> {
    const tallies: string[] = [];
    let withLog = '';
    for await (const { id, state } of read.days(days)) {
      if (state && 'log' in state) {
        const log = new ClickLog(state.log);
        if (log.length > 0) withLog = id;
        this.#addLog(log, this.#cutOf(id));
      } else if (!state || !('closed' in state) || withLog === dayIdOf(id) || !this.#addClosed(id, state.closed)) {
        tallies.push(id);
      }
    }
    return tallies.length > 0 ? [{ $in: tallies }] : [];
  }

  /** Counts a closed day. Returns false, and counts nothing, where the range or points divide it in a way that is not kept. */
  #addClosed(id: string, state: ClosedDayState): boolean {
    const cut = this.#cutOf(id);
    if (!isWhole(cut)) return false;
    const day = new ClosedDay(state);
    const parts = this.#partsOf(cut);
    const uniques = parts.map(({ from, to }) => day.uniques.between(from, to));
    if (uniques.includes(undefined)) return false;
    parts.forEach(({ point, from, to }, i) => {
      point.clicks += day.clicksBetween(from, to);
      point.uniques += uniques[i]!;
    });
    day.addTo(this.total);
    this.#uniques += day.uniques.between(0, QUARTERS)!;
    return true;
  }

  /** Counts a day's tally. Returns whether that is all: false when its quarters are still to be counted. */
  #addTally(tally: Tally, cut: Cut): boolean {
    const parts = this.#partsOf(cut);
    for (const { point, from, to } of parts) point.clicks += sumOf(tally.quarters, from, to);
    if (!isWhole(cut)) return false;
    this.total.merge(tally);
    if (parts.length > 1) return false;
    visitorsOf(parts[0]!.point).merge(tally.visitors);
    return true;
  }

  /** Counts straight into the totals: a tally for each day's latest clicks would take longer than these. */
  #addLog(log: ClickLog, cut: Cut): void {
    const { quarters } = this.total;
    const before = quarters.slice(0, QUARTERS);
    log.addTo(this.total, cut.from, cut.to, (quarter) => visitorsOf(this.#pointAt(cut.day, quarter)));
    const added = before.map((clicks, quarter) => quarters[quarter]! - clicks);
    for (const { point, from, to } of this.#partsOf(cut)) point.clicks += sumOf(added, from, to);
  }

  #addQuarter({ log, tally }: Period, cut: Cut, quarter: number): void {
    const { day, from, to } = cut;
    if (quarter < from || quarter >= to) return;
    const visitors = visitorsOf(this.#pointAt(day, quarter));
    const counted = tally ?? new Tally(this.kind, KEPT);
    log?.addTo(counted, quarter, quarter + 1, () => visitors);
    if (tally) visitors.merge(tally.visitors);
    // A whole day's own sums are counted already.
    if (!isWhole(cut)) this.total.merge(counted);
  }

  #cutOf(id: string): Cut {
    const day = dayOfId(id);
    const { from, to } = this.range.counted;
    return {
      day,
      from: Math.max(0, (from - day) / QUARTER_MS),
      to: Math.min(QUARTERS, (to - day) / QUARTER_MS),
    };
  }

  #partsOf({ day, from, to }: Cut): Part[] {
    const parts: Part[] = [];
    for (let index = this.#indexAt(day, from), at = from; at < to; index += 1) {
      const next = this.range.starts[index + 1] ?? Infinity;
      const end = Math.min(to, Math.ceil((next - day) / QUARTER_MS));
      parts.push({ point: this.#points[index]!, from: at, to: end });
      at = end;
    }
    return parts;
  }

  #pointAt(day: number, quarter: number): Point {
    return this.#points[this.#indexAt(day, quarter)]!;
  }

  /** Index of the last point that began by then. */
  #indexAt(day: number, quarter: number): number {
    const at = day + quarter * QUARTER_MS;
    const { starts } = this.range;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low;
  }
}

const visitorsOf = (point: Point): VisitorSketch => (point.visitors ??= new VisitorSketch());

const isWhole = ({ from, to }: Cut): boolean => from === 0 && to === QUARTERS;

function rangesOf(divided: Map<string, Cut>, days: { $gte: string; $lt: string }): { $gte: string; $lt: string }[] {
  if (divided.size > MAX_RANGES) return [days];
  return Array.from(divided, ([day, { from, to }]) => ({
    $gte: quarterId(day, from),
    $lt: `${quarterId(day, to - 1)}0`,
  }));
}
