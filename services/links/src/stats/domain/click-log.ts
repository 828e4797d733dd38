import type { StatsClick } from './click.js';
import type { Dimension, Tally } from './tally.js';
import type { VisitorSketch } from './visitor-sketch.js';

/**
 * Size of a row in bytes: quarter hour of the day (1), flags (1), clicks (2), location, agent, referrer and link (2
 * each, indexes of texts), visitor hash (4).
 */
const ROW_BYTES = 16;
const BOT = 1;
const QR = 2;
/** Maximum number of clicks that one row can count. */
const MAX_CLICKS = 0xffff;

export interface ClickLogState {
  rows: Uint8Array;
  texts: string[];
}

/** Stores individual clicks in rows of 16 bytes, with deduplicated texts. Used for statistics with few clicks. */
export class ClickLog {
  #rows: Buffer;
  #used: number;
  #texts: string[];
  #indexes: Map<string, number> | undefined;

  constructor({ rows, texts }: ClickLogState = { rows: Buffer.alloc(0), texts: [] }) {
    this.#rows = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    this.#used = rows.length;
    this.#texts = texts;
  }

  get length(): number {
    return this.#used / ROW_BYTES;
  }

  /** Size of the state without BSON overhead. */
  get bytes(): number {
    return this.#texts.reduce((sum, text) => sum + Buffer.byteLength(text), this.#used);
  }

  state(): ClickLogState {
    return { rows: this.#rows.subarray(0, this.#used), texts: this.#texts };
  }

  /** Adds clicks. Beyond `maxRows`, clicks that differ only in their time within a quarter hour share a row. */
  add(clicks: StatsClick[], maxRows: number): void {
    this.#reserve(clicks.length);
    for (const click of clicks) this.#append(click);
    if (this.length > maxRows) this.#mergeRows();
  }

  /**
   * Adds the clicks from quarter `from` to `to` (exclusive) to a tally, and their visitors to the sketch that
   * `sketchOf` returns.
   */
  addTo(tally: Tally, from: number, to: number, sketchOf: (quarter: number) => VisitorSketch = () => tally.visitors) {
    const [locations, agents, referrers, links] = Array.from({ length: 4 }, () => new Uint32Array(this.#texts.length));
    const sources = new Uint32Array(2);
    for (let at = 0; at < this.#used; at += ROW_BYTES) {
      const quarter = this.#rows[at]!;
      if (quarter < from || quarter >= to) continue;
      const flags = this.#rows[at + 1]!;
      const clicks = this.#rows.readUInt16LE(at + 2);
      tally.count(quarter, (flags & BOT) === 0, clicks);
      if (flags & BOT) continue;
      sources[flags & QR ? 1 : 0]! += clicks;
      locations![this.#rows.readUInt16LE(at + 4)]! += clicks;
      agents![this.#rows.readUInt16LE(at + 6)]! += clicks;
      referrers![this.#rows.readUInt16LE(at + 8)]! += clicks;
      links![this.#rows.readUInt16LE(at + 10)]! += clicks;
      sketchOf(quarter).add(this.#rows.readUInt32LE(at + 12));
    }
    this.#countBy(tally, locations!, ['countries', 'cities']);
    this.#countBy(tally, agents!, ['devices', 'browsers', 'os']);
    this.#countBy(tally, referrers!, ['referrers']);
    this.#countBy(tally, links!, ['links']);
    if (sources[0]) tally.countBy('sources', 'link', sources[0]);
    if (sources[1]) tally.countBy('sources', 'qr', sources[1]);
  }

  clicks(): StatsClick[] {
    return Array.from({ length: this.length }, (_, row) => this.#click(row * ROW_BYTES));
  }

  #countBy(tally: Tally, counts: Uint32Array, dimensions: Dimension[]): void {
    for (const [index, clicks] of counts.entries()) {
      if (clicks === 0) continue;
      const words = this.#texts[index]!.split('\n');
      dimensions.forEach((dimension, i) => tally.countBy(dimension, words[i]!, clicks));
    }
  }

  #click(at: number): StatsClick {
    const flags = this.#rows[at + 1]!;
    const human = (flags & BOT) === 0;
    const text = (offset: number): string[] =>
      human ? this.#texts[this.#rows.readUInt16LE(at + offset)]!.split('\n') : [];
    const [country = '', city = ''] = text(4);
    const [device = '', browser = '', os = ''] = text(6);
    return {
      quarter: this.#rows[at]!,
      human,
      clicks: this.#rows.readUInt16LE(at + 2),
      source: flags & QR ? 'qr' : 'link',
      ...{ country, city, device, browser, os },
      referrer: text(8)[0] ?? '',
      link: text(10)[0] ?? '',
      visitorHash: this.#rows.readUInt32LE(at + 12),
    };
  }

  #reserve(rows: number): void {
    const needed = this.#used + rows * ROW_BYTES;
    if (needed <= this.#rows.length) return;
    const larger = Buffer.alloc(needed);
    this.#rows.copy(larger, 0, 0, this.#used);
    this.#rows = larger;
  }

  #append({ quarter, human, clicks, source, ...click }: StatsClick): void {
    const [rows, at] = [this.#rows, this.#used];
    rows[at] = quarter;
    rows[at + 1] = human ? (source === 'qr' ? QR : 0) : BOT;
    rows.writeUInt16LE(clicks, at + 2);
    if (human) {
      rows.writeUInt16LE(this.#textIndex(`${click.country}\n${click.city}`), at + 4);
      rows.writeUInt16LE(this.#textIndex(`${click.device}\n${click.browser}\n${click.os}`), at + 6);
      rows.writeUInt16LE(this.#textIndex(click.referrer), at + 8);
      rows.writeUInt16LE(this.#textIndex(click.link), at + 10);
      rows.writeUInt32LE(click.visitorHash, at + 12);
    } else rows.fill(0, at + 4, at + ROW_BYTES);
    this.#used += ROW_BYTES;
  }

  #textIndex(text: string): number {
    this.#indexes ??= new Map(this.#texts.map((each, i) => [each, i]));
    let index = this.#indexes.get(text);
    if (index === undefined) {
      this.#indexes.set(text, (index = this.#texts.length));
      this.#texts.push(text);
    }
    return index;
  }

  /** Merges rows that differ only in their number of clicks, up to the maximum of a row. */
  #mergeRows(): void {
    const rows = new Map<string, number>();
    let used = 0;
    for (let at = 0; at < this.#used; at += ROW_BYTES) {
      const clicks = this.#rows.readUInt16LE(at + 2);
      const key = this.#rows.toString('latin1', at, at + 2) + this.#rows.toString('latin1', at + 4, at + ROW_BYTES);
      const first = rows.get(key);
      const sum = first === undefined ? 0 : this.#rows.readUInt16LE(first + 2) + clicks;
      if (first !== undefined && sum <= MAX_CLICKS) this.#rows.writeUInt16LE(sum, first + 2);
      else {
        rows.set(key, used);
        this.#rows.copyWithin(used, at, at + ROW_BYTES);
        used += ROW_BYTES;
      }
    }
    this.#used = used;
  }
}
