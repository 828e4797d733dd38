import { decode } from '../language/decode.js';
import { encode } from '../language/encode.js';
import type { Document } from '../language/values.js';
import { toBytes, toRaw, type RawDoc } from './raw.js';

/** A document in its raw form, decoded when somebody asks for its values. The decoded form must not be changed. */
export class Doc {
  #decoded: Document | undefined;

  constructor(readonly raw: RawDoc) {}

  get decoded(): Document {
    this.#decoded ??= decode(toBytes(this.raw));
    return this.#decoded;
  }

  /** A document that is to be stored: its `_id` is its first field. JavaScript puts names that are numbers before it. */
  static stored(decoded: Document): Doc {
    return new Doc(toRaw(encode(decoded, '_id')));
  }

  static of(decoded: Document): Doc {
    return new Doc(toRaw(encode(decoded)));
  }
}
