import { decode } from './decode.js';
import { encode } from './encode.js';
import type { Document } from './values.js';

/** A document as BSON, which is decoded on first use. Immutable. */
export class Doc {
  constructor(
    readonly raw: Buffer,
    private cached?: Document,
  ) {}

  get decoded(): Document {
    return (this.cached ??= decode(this.raw));
  }

  /**
   * Encodes a document for storage, with `_id` first, even before integer-like names, which JavaScript objects list
   * first.
   */
  static stored(decoded: Document): Doc {
    return new Doc(encode(decoded, '_id'), Object.keys(decoded)[0] === '_id' ? decoded : undefined);
  }

  static of(decoded: Document): Doc {
    return new Doc(encode(decoded));
  }
}
