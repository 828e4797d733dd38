import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { Cursor } from '../query/cursors.js';
import type { QueryCost } from '../query/execute.js';
import { ok, type CommandTable } from './command.js';
import type { Context } from './context.js';
import { checkKeys, count, documentField, list, text } from './fields.js';

const FIRST_BATCH_SIZE = 101;

export const cursorKeys = ['batchSize'];

/** Returns the `cursor.batchSize` of a command. */
export function batchSizeOf(body: Document): number | undefined {
  const cursor = documentField(body, 'cursor');
  checkKeys(cursor, cursorKeys, 'cursor');
  return count(cursor, 'batchSize');
}

/**
 * Returns the reply with the first batch of a result. Keeps the cursor open for `getMore`, unless `singleBatch` is set.
 */
export function firstBatch(
  { session, transaction, engine }: Context,
  ns: string,
  documents: Iterable<Buffer>,
  cost: QueryCost,
  { batchSize = FIRST_BATCH_SIZE, singleBatch = false }: { batchSize?: number | undefined; singleBatch?: boolean } = {},
): Document {
  const cursor = new Cursor({ ns, documents: documents[Symbol.iterator](), cost, session, transaction });
  const batch = cursor.take(batchSize);
  if (!cursor.isDone && !singleBatch) {
    // The time limit applies to this command only, not to `getMore`.
    cost.deadline = Infinity;
    engine.cursors.add(cursor);
    void transaction?.ended.then(() => engine.cursors.close(cursor.id));
  }
  return { cursor: { firstBatch: batch, id: cursor.id, ns }, ok: 1 };
}

function idOf(value: unknown, field: string): bigint {
  if (typeof value === 'bigint') return value;
  fail('TypeMismatch', `BSON field '${field}' is the wrong type, expected type 'long'`);
}

function checkOwner({ session, transaction }: Context, { id, source }: Cursor, ns: string): void {
  if (source.ns === ns && source.session === session && source.transaction === transaction) return;
  fail('Unauthorized', `the cursor ${id} belongs to another collection, session or transaction`);
}

export const cursorCommands: CommandTable = {
  getMore: {
    options: ['collection', 'batchSize'],
    transactional: true,
    run(context) {
      const { body, engine, deadline } = context;
      const id = idOf(body['getMore'], 'getMore.getMore');
      const cursor = engine.cursors.get(id);
      checkOwner(context, cursor, `${context.db}.${text(body, 'collection')}`);
      if (deadline < Infinity) fail('BadValue', 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
      const batch = cursor.take(count(body, 'batchSize') || Infinity);
      if (cursor.isDone) engine.cursors.close(id);
      return { cursor: { nextBatch: batch, id: cursor.isDone ? 0n : id, ns: cursor.source.ns }, ok: 1 };
    },
  },

  killCursors: {
    options: ['cursors'],
    transactional: true,
    run({ body, engine }) {
      const ids = list(body, 'cursors').map((value) => idOf(value, 'killCursors.cursors'));
      const cursorsKilled = ids.filter((id) => engine.cursors.close(id));
      const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
      return ok({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] });
    },
  },
};
