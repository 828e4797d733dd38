import { decode } from './decode.js';
import { encode } from './encode.js';
import type { Document } from './values.js';

/** A document as BSON bytes, decoded when somebody asks for its values. Neither form must be changed. */
export class Doc {
  #decoded: Document | undefined;

  constructor(
    readonly raw: Buffer,
    decoded?: Document,
  ) {
    this.#decoded = decoded;
  }

  get decoded(): Document {
    this.#decoded ??= decode(this.raw);
    return this.#decoded;
  }

  /** A document that is to be stored: its `_id` is its first field. JavaScript puts names that are numbers before it. */
  static stored(decoded: Document): Doc {
    return new Doc(encode(decoded, '_id'), Object.keys(decoded)[0] === '_id' ? decoded : undefined);
  }

  static of(decoded: Document): Doc {
    return new Doc(encode(decoded));
  }
}
