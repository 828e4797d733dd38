import { decode } from './decode.js';
import { encode } from './encode.js';
import type { Document } from './values.js';

/** A document as BSON, decoded on first use. Neither form may be changed. */
export class Doc {
  constructor(
    readonly raw: Buffer,
    private known?: Document,
  ) {}

  get decoded(): Document {
    return (this.known ??= decode(this.raw));
  }

  /** Returns a document to store, with `_id` first: JavaScript orders names that are numbers before it. */
  static stored(decoded: Document): Doc {
    return new Doc(encode(decoded, '_id'), Object.keys(decoded)[0] === '_id' ? decoded : undefined);
  }

  static of(decoded: Document): Doc {
    return new Doc(encode(decoded));
  }
}
