import { LRUCache } from 'lru-cache';
import { DAY_MS } from './quarters.js';

const MINUTE_MS = 60_000;

/** A stretch of time in which a zone's clocks keep one distance from UTC; all in milliseconds. */
interface Stretch {
  from: number;
  to: number;
  offset: number;
}

/** What is farther apart is not searched for what lies between. */
const FAR_MS = 60 * DAY_MS;

/** With the changes of their clocks that were found: to find them again takes milliseconds for a year. */
const zones = new LRUCache<string, Zone>({ max: 100 });

/** A time zone of the IANA database over some time, with every change of its clocks in it. */
export class Zone {
  #stretches: Stretch[] = [];

  private constructor(
    readonly name: string,
    private readonly format: Intl.DateTimeFormat,
  ) {}

  /** The zone of a name; undefined when there is none. Offsets like `+07:00` are no names. */
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

  /** The instant that a clock of the zone shows as `local` (milliseconds as if it were UTC): the first of two, and where clocks skip it the instant of the jump. */
  instantOf(local: number): number {
    this.#cover(local - 2 * DAY_MS, local + 2 * DAY_MS);
    for (const { from, to, offset } of this.#stretches) {
      const at = Math.max(from, local - offset);
      if (at < to) return at;
    }
    throw new RangeError('a local time beyond what was covered');
  }

  /** What a clock of the zone shows at an instant, in milliseconds as if it were UTC. */
  localOf(instant: number): number {
    this.#cover(instant, instant + MINUTE_MS);
    return instant + this.#stretches.find(({ to }) => instant < to)!.offset;
  }

  /** Looks for changes of the clocks between two instants, beside those that are known; what lies far from these replaces them. */
  #cover(from: number, to: number): void {
    const [first, last] = [this.#stretches[0], this.#stretches.at(-1)];
    if (!first || !last || to < first.from - FAR_MS || from > last.to + FAR_MS)
      this.#stretches = this.#between(from, to);
    else {
      if (from < first.from) this.#stretches = joined([...this.#between(from, first.from), ...this.#stretches]);
      if (to > last.to) this.#stretches = joined([...this.#stretches, ...this.#between(last.to, to)]);
    }
  }

  /** No zone changes its clocks and back within a day. */
  #between(from: number, to: number): Stretch[] {
    const found: Stretch[] = [];
    for (let at = from; at < to; at += DAY_MS) found.push(...this.#withinDay(at, Math.min(at + DAY_MS, to)));
    return joined(found);
  }

  #withinDay(from: number, to: number): Stretch[] {
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

/** Stretches of one offset that follow each other as one. */
function joined(stretches: Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches) {
    const last = all.at(-1);
    if (last?.offset === stretch.offset) last.to = stretch.to;
    else if (stretch.from < stretch.to) all.push({ ...stretch });
  }
  return all;
}
