import { newUlid } from '@tautan/kit';
import type { CachedRoute } from '../cached-route.js';
import { JsonBytes } from './json-bytes.js';
import type { Place } from './places.js';

/** A click to be encoded into a batch. It contains nothing that identifies an IP address. */
export interface EncodableClick {
  /** Unix milliseconds. */
  at: number;
  route: CachedRoute;
  human: boolean;
  userAgent: string;
  referrer: string;
  place: Place;
  visitor: string;
}

/** A batch to publish. */
export interface Batch {
  id: string;
  partition: number;
  payload: Buffer;
  /** Number of clicks; undefined for a batch that was read back from disk. */
  clicks?: number;
  /** Traces of the clicks (W3C traceparent); undefined for a batch that was read back from disk. */
  traces?: string[];
}

/** Returns the number of clicks in a batch. */
export function clicksIn({ clicks, payload }: Batch): number {
  if (clicks !== undefined) return clicks;
  // Texts come first and escape their quotes, so the separator occurs once. No texts follow it.
  const rows = payload.indexOf(SEPARATOR);
  if (rows === -1) return 0;
  let count = 1;
  for (let at = payload.indexOf('],[', rows + SEPARATOR.length); at !== -1; at = payload.indexOf('],[', at + 1))
    count += 1;
  return count;
}

/** Number of columns with deduplicated texts. */
const COLUMNS = 6;

const SEPARATOR = '],"clicks":[';
const SUFFIX = ']}';

/** Total number of batches that the builders have started. The value when a batch starts identifies that batch. */
let batches = 0;

/** Builds batches of one partition's clicks in the format of @tautan/proto. */
export class BatchBuilder {
  /** Traces of the clicks since the last batch. */
  traces: string[] = [];
  #batch = (batches += 1);
  readonly #texts = new JsonBytes();
  #textCount = 0;
  readonly #index = new Map<string, number>();
  readonly #rows = new JsonBytes();
  /** The previous click's text by column, and its index. */
  readonly #lastTexts: (string | undefined)[] = new Array<undefined>(COLUMNS).fill(undefined);
  readonly #lastIndexes: number[] = new Array<number>(COLUMNS).fill(0);
  #lastVisitor: string | undefined;
  #lastVisitorIndex = 0;
  #base = 0;

  constructor(readonly partition: number) {}

  /** Number of clicks so far. */
  get size(): number {
    return this.#rows.rows;
  }

  /** Number of bytes so far. */
  get bytes(): number {
    return this.#rows.bytes + this.#texts.bytes;
  }

  add({ at, route, human, userAgent, referrer, place, visitor }: EncodableClick): void {
    if (this.size === 0) this.#base = at;
    const rows = this.#rows;
    rows.beginRow();
    // The offset must not be negative if the clock was set back.
    rows.number(Math.max(0, at - this.#base));
    rows.number(route.linkId === null ? -1 : this.#id(route, route.linkId));
    rows.number(this.#qrCode(route));
    rows.number(this.#text(1, route.workspaceId));
    rows.letter(human ? 'h' : 'b');
    rows.number(this.#text(2, userAgent));
    rows.number(this.#text(3, referrer));
    rows.number(this.#text(4, place.country));
    rows.number(this.#text(5, place.city));
    rows.number(this.#visitor(visitor));
    rows.letter(route.via);
    rows.endRow();
  }

  /** Returns a batch of the clicks added since the last one. */
  take(): Batch {
    const id = newUlid();
    const clicks = this.size;
    const head = `{"v":1,"id":"${id}","base":${this.#base},"texts":[`;
    const payload = Buffer.allocUnsafe(head.length + SEPARATOR.length + SUFFIX.length + this.bytes);
    let at = payload.write(head, 0, 'latin1');
    at = this.#texts.moveTo(payload, at);
    at += payload.write(SEPARATOR, at, 'latin1');
    at = this.#rows.moveTo(payload, at);
    payload.write(SUFFIX, at, 'latin1');
    this.#batch = batches += 1;
    this.#textCount = 0;
    this.#index.clear();
    this.#lastTexts.fill(undefined);
    this.#lastVisitor = undefined;
    const { partition, traces } = this;
    this.traces = [];
    return { id, partition, payload, clicks, traces };
  }

  /** Returns the index of the id of a route's QR code, or -1 without a QR code. */
  #qrCode(route: CachedRoute): number {
    if (route.qrId === null) return -1;
    return route.linkId === null ? this.#id(route, route.qrId) : this.#text(0, route.qrId);
  }

  /**
   * Returns the index of a link's or QR code's id. The route can cache it, because all its clicks belong to one
   * partition and thus to one builder.
   */
  #id(route: CachedRoute, id: string): number {
    if (route.idBatch !== this.#batch) {
      route.idBatch = this.#batch;
      route.idIndex = this.#append(id);
    }
    return route.idIndex;
  }

  /** Returns the index of a text. Most columns have the same text as in the previous click. */
  #text(column: number, text: string): number {
    if (this.#lastTexts[column] === text) return this.#lastIndexes[column]!;
    let index = this.#index.get(text);
    if (index === undefined) this.#index.set(text, (index = this.#append(text)));
    this.#lastTexts[column] = text;
    return (this.#lastIndexes[column] = index);
  }

  /** Returns the index of a visitor. Visitors rarely repeat within a batch, so only the previous one is compared. */
  #visitor(text: string): number {
    if (this.#lastVisitor !== text) {
      this.#lastVisitor = text;
      this.#lastVisitorIndex = this.#append(text);
    }
    return this.#lastVisitorIndex;
  }

  #append(text: string): number {
    this.#texts.text(text);
    return this.#textCount++;
  }
}
