import { parseClickBatch, type ClickBatch } from '@tautan/proto';

/**
 * Parses a message of the CLICKS stream. Throws if the message is not a batch, or if a click refers to an index that
 * the field `texts` of the batch does not have.
 */
export const readBatch = (payload: Uint8Array): ClickBatch =>
  parseClickBatch(JSON.parse(Buffer.from(payload).toString()));
