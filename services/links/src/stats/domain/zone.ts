import { LRUCache } from 'lru-cache';
import { DAY_MS } from './quarters.js';

const MINUTE_MS = 60_000;

/** A time interval in which a zone has one UTC offset; all in milliseconds. */
interface OffsetInterval {
  from: number;
  to: number;
  offset: number;
}

/**
 * Maximum gap between the known intervals and a requested range, in milliseconds. A gap up to this length is searched
 * together with the range. If the gap is longer, the known intervals are dropped.
 */
const MAX_GAP_MS = 60 * DAY_MS;

/** Caches zones with the offset changes found so far, because the search is slow: milliseconds per year searched. */
const zones = new LRUCache<string, Zone>({ max: 100 });

/**
 * A time zone of the IANA database, with all offset changes in one time range, which is extended or replaced as needed.
 */
export class Zone {
  #intervals: OffsetInterval[] = [];

  private constructor(
    readonly name: string,
    private readonly format: Intl.DateTimeFormat,
  ) {}

  /** Returns the zone called `name`; undefined if it does not exist. Offsets such as `+07:00` are not names. */
  static of(name: string): Zone | undefined {
    const known = zones.get(name);
    if (known || !/^[A-Za-z]/.test(name)) return known;
    try {
      const zone = new Zone(name, new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' }));
      zones.set(name, zone);
      return zone;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the instant of a local time (milliseconds as if in UTC): the first one if it occurs twice, and the instant
   * of the clock change if it is skipped.
   */
  instantOf(local: number): number {
    this.#extend(local - 2 * DAY_MS, local + 2 * DAY_MS);
    for (const { from, to, offset } of this.#intervals) {
      const at = Math.max(from, local - offset);
      if (at < to) return at;
    }
    throw new RangeError('the local time is outside of the covered range');
  }

  /** Returns the local time (milliseconds as if in UTC) of an instant. */
  localOf(instant: number): number {
    this.#extend(instant, instant + MINUTE_MS);
    return instant + this.#intervals.find(({ to }) => instant < to)!.offset;
  }

  /**
   * Finds the offset changes between two instants. Adds them to the known ones, or replaces the known ones if the gap
   * is too large.
   */
  #extend(from: number, to: number): void {
    const [first, last] = [this.#intervals[0], this.#intervals.at(-1)];
    if (!first || !last || to < first.from - MAX_GAP_MS || from > last.to + MAX_GAP_MS)
      this.#intervals = this.#between(from, to);
    else {
      if (from < first.from) this.#intervals = merged([...this.#between(from, first.from), ...this.#intervals]);
      if (to > last.to) this.#intervals = merged([...this.#intervals, ...this.#between(last.to, to)]);
    }
  }

  /**
   * Returns the intervals between two instants. Searches a day for a change only if the offsets at its start and end
   * differ, because no zone changes its offset twice within a day.
   */
  #between(from: number, to: number): OffsetInterval[] {
    const found: OffsetInterval[] = [];
    for (let at = from; at < to; at += DAY_MS) found.push(...this.#withinDay(at, Math.min(at + DAY_MS, to)));
    return merged(found);
  }

  #withinDay(from: number, to: number): OffsetInterval[] {
    const [before, after] = [this.#offsetAt(from), this.#offsetAt(to)];
    if (before === after) return [{ from, to, offset: before }];
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return [
      { from, to: high, offset: before },
      { from: high, to, offset: after },
    ];
  }

  #offsetAt(instant: number): number {
    if (this.name === 'UTC') return 0;
    const text = this.format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value;
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
    const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
    return sign === '-' ? -ms : ms;
  }
}

/** Merges adjacent intervals with the same offset. */
function merged(intervals: OffsetInterval[]): OffsetInterval[] {
  const all: OffsetInterval[] = [];
  for (const interval of intervals) {
    const last = all.at(-1);
    if (last?.offset === interval.offset) last.to = interval.to;
    else if (interval.from < interval.to) all.push({ ...interval });
  }
  return all;
}
