import { parseClickBatch, type ClickBatch } from '@tautan/proto';

/** Parses a message of the CLICKS stream. Throws if it is not a batch, or refers to a missing text. */
export const readBatch = (payload: Uint8Array): ClickBatch =>
  parseClickBatch(JSON.parse(Buffer.from(payload).toString()));
