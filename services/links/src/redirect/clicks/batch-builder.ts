import { newUlid } from '@tautan/kit';
import type { Answer } from '../answer.js';
import { JsonBytes } from './json-bytes.js';
import type { Place } from './places.js';

/** One click as a batch tells it: nothing in it leads back to an address. */
export interface TellableClick {
  /** Unix milliseconds. */
  at: number;
  answer: Answer;
  human: boolean;
  userAgent: string;
  referrer: string;
  place: Place;
  visitor: string;
}

/** A batch on its way: what the stream gets. */
export interface Batch {
  id: string;
  partition: number;
  payload: Buffer;
  /** Number of its clicks; unknown where it was read back from disk. */
  clicks?: number;
  /** Traces that its clicks belong to (W3C traceparent); unknown where it was read back from disk. */
  traces?: string[];
}

/** Returns the number of clicks in a batch. */
export function clicksIn({ clicks, payload }: Batch): number {
  if (clicks !== undefined) return clicks;
  // Texts come before, with their quotes escaped, so that this is found once. Behind it there are no texts.
  const rows = payload.indexOf(BETWEEN);
  if (rows === -1) return 0;
  let count = 1;
  for (let at = payload.indexOf('],[', rows + BETWEEN.length); at !== -1; at = payload.indexOf('],[', at + 1))
    count += 1;
  return count;
}

/** Columns of texts that a batch numbers. */
const COLUMNS = 7;

const BETWEEN = '],"clicks":[';
const BEHIND = ']}';

/** Counts batches, over all builders. */
let batches = 0;

/** Collects clicks of one partition into the batch format of @tautan/proto, one batch after the other. */
export class BatchBuilder {
  /** Traces that the clicks since the last batch belong to. */
  traces: string[] = [];
  #batch = (batches += 1);
  readonly #texts = new JsonBytes();
  #count = 0;
  readonly #index = new Map<string, number>();
  readonly #rows = new JsonBytes();
  /** By column, what the click before said, and the number of that text. */
  readonly #lastTexts: (string | undefined)[] = new Array<undefined>(COLUMNS).fill(undefined);
  readonly #lastNumbers: number[] = new Array<number>(COLUMNS).fill(0);
  #base = 0;

  constructor(readonly partition: number) {}

  get size(): number {
    return this.#rows.rows;
  }

  /** Bytes of its clicks so far. */
  get bytes(): number {
    return this.#rows.bytes + this.#texts.bytes;
  }

  add({ at, answer, human, userAgent, referrer, place, visitor }: TellableClick): void {
    if (this.size === 0) this.#base = at;
    const rows = this.#rows;
    rows.begin();
    // A clock that was set back must not make a negative offset.
    rows.number(Math.max(0, at - this.#base));
    rows.number(answer.linkId === null ? -1 : this.#name(answer, answer.linkId));
    rows.number(this.#code(answer));
    rows.number(this.#text(1, answer.workspaceId));
    rows.letter(human ? 'h' : 'b');
    rows.number(this.#text(2, userAgent));
    rows.number(this.#text(3, referrer));
    rows.number(this.#text(4, place.country));
    rows.number(this.#text(5, place.city));
    rows.number(this.#text(6, visitor));
    rows.letter(answer.via);
    rows.end();
  }

  /** The batch of what was added since the last one. */
  take(): Batch {
    const id = newUlid();
    const clicks = this.size;
    const head = `{"v":1,"id":"${id}","base":${this.#base},"texts":[`;
    const payload = Buffer.allocUnsafe(head.length + BETWEEN.length + BEHIND.length + this.bytes);
    let at = payload.write(head, 0, 'latin1');
    at = this.#texts.moveTo(payload, at);
    at += payload.write(BETWEEN, at, 'latin1');
    at = this.#rows.moveTo(payload, at);
    payload.write(BEHIND, at, 'latin1');
    this.#batch = batches += 1;
    this.#count = 0;
    this.#index.clear();
    this.#lastTexts.fill(undefined);
    const { partition, traces } = this;
    this.traces = [];
    return { id, partition, payload, clicks, traces };
  }

  #code(answer: Answer): number {
    if (answer.qrId === null) return -1;
    return answer.linkId === null ? this.#name(answer, answer.qrId) : this.#text(0, answer.qrId);
  }

  /** Links are many and each in one partition alone, so an answer itself remembers what the last batch called its link. */
  #name(answer: Answer, id: string): number {
    if (answer.namedBy !== this.#batch) {
      answer.namedBy = this.#batch;
      answer.nameThere = this.#append(id);
    }
    return answer.nameThere;
  }

  /** The number of a text. Most columns say the same as in the click before. */
  #text(column: number, text: string): number {
    if (this.#lastTexts[column] === text) return this.#lastNumbers[column]!;
    let number = this.#index.get(text);
    if (number === undefined) this.#index.set(text, (number = this.#append(text)));
    this.#lastTexts[column] = text;
    return (this.#lastNumbers[column] = number);
  }

  #append(text: string): number {
    this.#texts.text(text);
    return this.#count++;
  }
}
