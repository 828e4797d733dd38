import { newUlid } from '@tautan/kit';
import type { ClickBatch } from '@tautan/proto';
import type { Place } from './places.js';
import type { Answer } from '../answer.js';

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
  readonly #clicks: ClickBatch['clicks'] = [];
  #base = 0;
  #bytes = 0;

  constructor(readonly partition: number) {}

  get size(): number {
    return this.#clicks.length;
  }

  /** Upper bound of the payload's bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add({ at, answer, human, userAgent, referrer, place, visitor }: TellableClick): void {
    if (this.#clicks.length === 0) this.#base = at;
    this.#bytes += 64;
    this.#clicks.push([
      // A clock that was set back must not make a negative offset.
      Math.max(0, at - this.#base),
      this.#text(answer.linkId),
      answer.qrId === null ? -1 : this.#text(answer.qrId),
      this.#text(answer.workspaceId),
      human ? 'h' : 'b',
      this.#text(userAgent),
      this.#text(referrer),
      this.#text(place.country),
      this.#text(place.city),
      this.#text(visitor),
      answer.via,
    ]);
  }

  build(): Batch {
    const id = newUlid();
    const batch: ClickBatch = { v: 1, id, base: this.#base, texts: this.#texts, clicks: this.#clicks };
    return { id, partition: this.partition, payload: Buffer.from(JSON.stringify(batch)) };
  }

  #text(text: string): number {
    let index = this.#index.get(text);
    if (index !== undefined) return index;
    index = this.#texts.push(text) - 1;
    this.#index.set(text, index);
    // Two bytes for a character above ASCII, or for its escape.
    this.#bytes += 2 * text.length + 3;
    return index;
  }
}
