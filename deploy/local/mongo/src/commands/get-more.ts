import { fail } from '../language/errors.js';
import type { Cursor } from '../query/cursors.js';
import { CursorReply, type Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { count, list, text } from './fields.js';

function idOf(value: unknown, field: string): bigint {
  if (typeof value === 'bigint') return value;
  fail('TypeMismatch', `BSON field '${field}' is the wrong type, expected type 'long'`);
}

/** Whose cursor it is. A transaction's cursor is read in that transaction only, others never in one. */
function checkOwner(context: Context, { id, source: cursor }: Cursor, ns: string): void {
  if (cursor.ns !== ns)
    fail(
      'Unauthorized',
      `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
    );
  if (cursor.session !== context.session)
    fail(50738, `Cannot run getMore on cursor ${id}, which belongs to another session`);
  if (cursor.transaction !== context.transaction)
    fail(50740, `Cannot run getMore on cursor ${id}, which belongs to another transaction`);
}

export const getMore: Command = {
  options: ['collection', 'batchSize'],
  transactional: true,
  run(context: Context): Reply {
    const { body, engine } = context;
    const id = idOf(body['getMore'], 'getMore.getMore');
    const cursor = engine.cursors.get(id);
    checkOwner(context, cursor, `${context.db}.${text(body, 'collection')}`);
    if (context.deadline < Infinity)
      fail('BadValue', 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
    const size = count(body, 'batchSize') ?? 0;
    const batch = cursor.take(size === 0 ? Infinity : size);
    if (cursor.isDone) engine.cursors.close(id);
    return new CursorReply('nextBatch', batch, cursor.isDone ? 0n : id, cursor.source.ns);
  },
};

export const killCursors: Command = {
  options: ['cursors'],
  transactional: true,
  run({ body, engine }: Context): Reply {
    const [cursorsKilled, cursorsNotFound]: [bigint[], bigint[]] = [[], []];
    for (const value of list(body, 'cursors')) {
      const id = idOf(value, 'killCursors.cursors');
      (engine.cursors.close(id) ? cursorsKilled : cursorsNotFound).push(id);
    }
    return ok({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] });
  },
};
