import { takeBatch, type Cursor } from '../query/cursors.js';
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
  const pending: Pick<Cursor, 'documents' | 'held'> = { documents: documents[Symbol.iterator](), held: undefined };
  const { batch, done } = takeBatch(pending, batchSize ?? firstBatchSize);
  if (!done && !singleBatch && !endsHere(pending)) {
    // The time limit was for this command: the pauses between batches are the client's.
    effort.deadline = Infinity;
    const cursor = context.engine.cursors.open({
      ...pending,
      ns,
      effort,
      session: context.session,
      transaction: context.transaction,
    });
    return new CursorReply('firstBatch', batch, cursor.id, ns);
  }
  return new CursorReply('firstBatch', batch, 0n, ns);
}

/** Looks one document ahead, so that a result that fits into its batch leaves no cursor behind. */
export function endsHere(cursor: Pick<Cursor, 'documents' | 'held'>): boolean {
  if (cursor.held !== undefined) return false;
  const next = cursor.documents.next();
  if (next.done) return true;
  cursor.held = next.value;
  return false;
}
