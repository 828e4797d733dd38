import type { StatsRange } from '../domain/range.js';
import { ClickLog } from '../domain/click-log.js';
import { ClosedDay, sumOf, type ClosedDayState } from '../domain/closed-day.js';
import { Period } from '../domain/period.js';
import { QUARTER_MS, QUARTERS } from '../domain/quarters.js';
import { dayIdOf, dayStartOf, daysBetween, quarterId, quarterOfId } from '../domain/subject.js';
import { Tally, type SubjectKind } from '../domain/tally.js';
import { VisitorSketch } from '../domain/visitor-sketch.js';
import type { StatsReader, StatsStore } from '../store/stats.js';

export interface StatsPoint {
  time: string;
  clicks: number;
  uniques: number;
}

export interface StatsColumns {
  /** In Unix milliseconds. */
  starts: number[];
  clicks: number[];
  uniques: number[];
}

/** The points of a time series, as columns or as one object per point. */
export type StatsPoints = { series: StatsColumns } | { timeSeries: StatsPoint[] };

/**
 * The part of a day within the range: from one quarter hour to another. `day`: start of the day in Unix milliseconds.
 */
interface DaySlice {
  day: number;
  from: number;
  to: number;
}

/** The part of a day within one point of the series, in quarter hours. `point`: index of the point. */
interface Part {
  point: number;
  from: number;
  to: number;
}

/** Capacity of the `KeyCounts` of each dimension in sums over many days. */
const KEY_CAPACITY = 4_096;
/**
 * Maximum number of days whose quarter hours are read with a range of ids for each day. For more days, a single range
 * covers all of them.
 */
const MAX_RANGES = 64;

/** Statistics of a subject over a range of time. */
export class StatsFigures {
  readonly total: Tally;
  /** Clicks by point. */
  readonly #clicks: Float64Array;
  /**
   * Number of visitors by point on closed days whose stored counts are used. Closing a day (see `closeDays`) stores the
   * numbers of visitors of its parts. Visitor ids change daily, so the numbers of different days can be added.
   */
  readonly #closedUniques: Float64Array;
  /** Visitors by point on all other days. */
  readonly #visitors = new Map<number, VisitorSketch>();
  /** Number of visitors on closed days whose stored counts are used. */
  #uniques = 0;

  private constructor(
    private readonly kind: SubjectKind,
    private readonly range: StatsRange,
  ) {
    this.total = new Tally(kind, KEY_CAPACITY);
    this.#clicks = new Float64Array(range.starts.length);
    this.#closedUniques = new Float64Array(range.starts.length);
  }

  /**
   * Reads a subject's days as one range of ids, then the tallies that are needed. Quarter hours are only read for days
   * that are divided by a bound of the range or of a point of the series. A closed day that is divided only by points
   * needs neither its tally nor its quarter hours, unless one of its hours lasts 90 minutes (see `bucketStarts`). Stops
   * reading and rejects with TIMEOUT once `signal` is aborted.
   */
  static read(
    store: StatsStore,
    kind: SubjectKind,
    id: string,
    range: StatsRange,
    signal?: AbortSignal,
  ): Promise<StatsFigures> {
    const read = async (reader: StatsReader): Promise<StatsFigures> => {
      const figures = new StatsFigures(kind, range);
      await figures.#add(reader, id);
      return figures;
    };
    return store.snapshot(read, signal);
  }

  /** Number of unique visitors in the range. */
  get uniques(): number {
    return this.#uniques + this.total.visitors.estimate();
  }

  /** Returns the time series, by column if `packed`. */
  points(packed: boolean): StatsPoints {
    return packed ? { series: this.#columns() } : { timeSeries: this.series() };
  }

  /** Returns one element per point of the range, including points without clicks. */
  series(): StatsPoint[] {
    const { starts, clicks, uniques } = this.#columns();
    return starts.map((start, i) => ({
      time: new Date(start).toISOString(),
      clicks: clicks[i]!,
      uniques: uniques[i]!,
    }));
  }

  #columns(): StatsColumns {
    return {
      starts: this.range.starts,
      clicks: Array.from(this.#clicks),
      uniques: this.range.starts.map((_, i) => this.#closedUniques[i]! + (this.#visitors.get(i)?.estimate() ?? 0)),
    };
  }

  async #add(read: StatsReader, subject: string): Promise<void> {
    const days = daysBetween(subject, this.range.counted.from, this.range.counted.to - 1);
    const divided = new Map<string, DaySlice>();
    // Days of workspaces are never closed.
    const tallies = this.kind === 'link' ? await this.#addDays(read, days) : [days];
    for await (const { id, state } of read.periods('days', tallies)) {
      const slice = this.#sliceOf(id);
      const { log, tally } = new Period(this.kind, 'day', state);
      if (log) this.#addLog(log, slice);
      else if (!this.#addTally(tally!, slice)) divided.set(dayIdOf(id), slice);
    }
    for await (const { id, state } of read.periods('quarters', rangesOf(divided, days))) {
      const slice = divided.get(id.slice(0, id.lastIndexOf('/')));
      if (slice) this.#addQuarter(new Period(this.kind, 'quarter', state), slice, quarterOfId(id));
    }
    for (const visitors of this.#visitors.values()) this.total.visitors.merge(visitors);
  }

  /** Counts the click logs of days, and the closed days. Returns the ids of the tallies still to be counted. */
  async #addDays(read: StatsReader, days: { $gte: string; $lt: string }): Promise<{ $in: string[] }[]> {
    const tallies: string[] = [];
    // Id of the last day that has a log with clicks. A day's log is read before its tally. If the day is closed, the
    // clicks in its log arrived late. Their visitors may be among those of the closed day, so the two numbers of
    // visitors cannot be added. The log and the day's tally are then counted, and the stored counts of the closed day
    // are not used.
    let dayWithLog = '';
    for await (const { id, state } of read.days(days)) {
      if (state && 'log' in state) {
        const log = new ClickLog(state.log);
        if (log.length > 0) dayWithLog = id;
        this.#addLog(log, this.#sliceOf(id));
      } else if (!state || !('closed' in state) || dayWithLog === dayIdOf(id) || !this.#addClosed(id, state.closed)) {
        tallies.push(id);
      }
    }
    return tallies.length > 0 ? [{ $in: tallies }] : [];
  }

  /**
   * Counts a closed day. Returns false and counts nothing if the range or the points divide it into parts whose counts
   * are not stored.
   */
  #addClosed(id: string, state: ClosedDayState): boolean {
    const slice = this.#sliceOf(id);
    if (!isWhole(slice)) return false;
    const day = new ClosedDay(state);
    const parts = this.#partsOf(slice);
    if (parts.some(({ from, to }) => day.uniques.between(from, to) === undefined)) return false;
    for (const { point, from, to } of parts) {
      this.#clicks[point]! += day.clicksBetween(from, to);
      this.#closedUniques[point]! += day.uniques.between(from, to)!;
    }
    day.addTo(this.total);
    this.#uniques += day.uniques.between(0, QUARTERS)!;
    return true;
  }

  /** Counts a day's tally. Returns false if its quarter hours are still to be counted. */
  #addTally(tally: Tally, slice: DaySlice): boolean {
    const parts = this.#partsOf(slice);
    for (const { point, from, to } of parts) this.#clicks[point]! += sumOf(tally.quarters, from, to);
    if (!isWhole(slice)) return false;
    this.total.merge(tally);
    if (parts.length > 1) return false;
    this.#visitorsOf(parts[0]!.point).merge(tally.visitors);
    return true;
  }

  /** Counts a log directly into the totals: building a tally from the log of each day would be slower. */
  #addLog(log: ClickLog, slice: DaySlice): void {
    const { quarters } = this.total;
    const before = quarters.slice(0, QUARTERS);
    log.addTo(this.total, slice.from, slice.to, (quarter) => this.#visitorsOf(this.#indexAt(slice.day, quarter)));
    const added = before.map((clicks, quarter) => quarters[quarter]! - clicks);
    for (const { point, from, to } of this.#partsOf(slice)) this.#clicks[point]! += sumOf(added, from, to);
  }

  #addQuarter({ log, tally }: Period, slice: DaySlice, quarter: number): void {
    const { day, from, to } = slice;
    if (quarter < from || quarter >= to) return;
    const visitors = this.#visitorsOf(this.#indexAt(day, quarter));
    const counted = tally ?? new Tally(this.kind, KEY_CAPACITY);
    log?.addTo(counted, quarter, quarter + 1, () => visitors);
    if (tally) visitors.merge(tally.visitors);
    // The totals of whole days are already counted.
    if (!isWhole(slice)) this.total.merge(counted);
  }

  #sliceOf(id: string): DaySlice {
    const day = dayStartOf(id);
    const { from, to } = this.range.counted;
    return {
      day,
      from: Math.max(0, (from - day) / QUARTER_MS),
      to: Math.min(QUARTERS, (to - day) / QUARTER_MS),
    };
  }

  #partsOf({ day, from, to }: DaySlice): Part[] {
    const parts: Part[] = [];
    for (let index = this.#indexAt(day, from), at = from; at < to; index += 1) {
      const next = this.range.starts[index + 1] ?? Infinity;
      const end = Math.min(to, Math.ceil((next - day) / QUARTER_MS));
      parts.push({ point: index, from: at, to: end });
      at = end;
    }
    return parts;
  }

  #visitorsOf(point: number): VisitorSketch {
    let visitors = this.#visitors.get(point);
    if (!visitors) this.#visitors.set(point, (visitors = new VisitorSketch()));
    return visitors;
  }

  /** Returns the index of the last point that begins at or before a quarter hour. */
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

const isWhole = ({ from, to }: DaySlice): boolean => from === 0 && to === QUARTERS;

function rangesOf(
  divided: Map<string, DaySlice>,
  days: { $gte: string; $lt: string },
): { $gte: string; $lt: string }[] {
  if (divided.size > MAX_RANGES) return [days];
  return Array.from(divided, ([day, { from, to }]) => ({
    $gte: quarterId(day, from),
    $lt: `${quarterId(day, to - 1)}0`,
  }));
}
