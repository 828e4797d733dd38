import { Cursor } from '../query/cursors.js';
import type { Effort } from '../query/execute.js';
import type { Document } from '../language/values.js';
import { CursorReply } from '../wire/replies.js';
import type { Context } from './context.js';
import { checkKeys, count, documentField } from './fields.js';

const firstBatchSize = 101;

export interface CursorOptions {
  batchSize?: number | undefined;
  singleBatch?: boolean;
}

/** The fields of `cursor`. */
export const cursorKeys = ['batchSize'];

/** The batch size in the `cursor` of a command. */
export function batchSizeOf(body: Document): number | undefined {
  const cursor = documentField(body, 'cursor');
  checkKeys(cursor, cursorKeys, 'cursor');
  return count(cursor, 'batchSize');
}

/** The first batch of a result; what is left of it stays open for `getMore`. */
export function firstBatch(
  context: Context,
  ns: string,
  documents: Iterable<Buffer>,
  effort: Effort,
  { batchSize, singleBatch }: CursorOptions = {},
): CursorReply {
  const { session, transaction, engine } = context;
  const cursor = new Cursor({ ns, documents: documents[Symbol.iterator](), effort, session, transaction });
  const batch = cursor.take(batchSize ?? firstBatchSize);
  if (cursor.isDone || singleBatch) return new CursorReply('firstBatch', batch, 0n, ns);
  // The time limit was for this command: the pauses between batches are the client's.
  effort.deadline = Infinity;
  engine.cursors.add(cursor);
  return new CursorReply('firstBatch', batch, cursor.id, ns);
}
