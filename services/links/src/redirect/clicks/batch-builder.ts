import { newUlid } from '@tautan/kit';
import type { Answer } from '../answer.js';
import { JsonRows } from './json-rows.js';
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
}

/** Collects clicks of one partition into the batch format of @tautan/proto. */
export class BatchBuilder {
  readonly #texts: string[] = [];
  readonly #index = new Map<string, number>();
  readonly #rows = new JsonRows();
  #base = 0;
  #textBytes = 0;

  constructor(readonly partition: number) {}

  get size(): number {
    return this.#rows.count;
  }

  /** Upper bound of the payload's bytes. */
  get bytes(): number {
    return this.#rows.bytes + this.#textBytes;
  }

  add({ at, answer, human, userAgent, referrer, place, visitor }: TellableClick): void {
    if (this.#rows.count === 0) this.#base = at;
    const rows = this.#rows;
    rows.begin();
    // A clock that was set back must not make a negative offset.
    rows.number(Math.max(0, at - this.#base));
    rows.number(this.#link(answer));
    rows.number(answer.qrId === null ? -1 : this.#text(answer.qrId));
    rows.number(this.#text(answer.workspaceId));
    rows.letter(human ? 'h' : 'b');
    rows.number(this.#text(userAgent));
    rows.number(this.#text(referrer));
    rows.number(this.#text(place.country));
    rows.number(this.#text(place.city));
    rows.number(this.#text(visitor));
    rows.letter(answer.via);
    rows.end();
  }

  build(): Batch {
    const id = newUlid();
    const head = `{"v":1,"id":"${id}","base":${this.#base},"texts":${JSON.stringify(this.#texts)},"clicks":[`;
    return { id, partition: this.partition, payload: Buffer.concat([Buffer.from(head), this.#rows.take(), tail]) };
  }

  /** Links are many and each in one partition alone, so an answer itself remembers what the last batch called its link. */
  #link(answer: Answer): number {
    if (answer.namedBy !== this) {
      answer.namedBy = this;
      answer.nameThere = this.#append(answer.linkId);
    }
    return answer.nameThere;
  }

  #text(text: string): number {
    const index = this.#index.get(text);
    if (index !== undefined) return index;
    this.#index.set(text, this.#texts.length);
    return this.#append(text);
  }

  #append(text: string): number {
    // Two bytes for a character above ASCII, or for its escape.
    this.#textBytes += 2 * text.length + 3;
    return this.#texts.push(text) - 1;
  }
}

const tail = Buffer.from(']}');
