import { parseClickBatch, type ClickBatch } from '@tautan/proto';

/** Reads a message of the stream CLICKS. Throws when it is not a batch, or refers to a text that it does not have. */
export const readBatch = (payload: Uint8Array): ClickBatch =>
  parseClickBatch(JSON.parse(Buffer.from(payload).toString()));
