import { openTransaction } from '../sessions/enter.js';
import { abort } from '../sessions/session-table.js';
import type { Transaction } from '../storage/unit.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';

const numberOf = ({ body }: Context): bigint => BigInt(body['txnNumber'] as bigint);

function commit({ engine, session }: Context, unit: Transaction): Promise<void> {
  try {
    const durable = engine.store.commit(unit);
    session!.markCommitted();
    return durable;
  } catch (error) {
    abort(session!, engine.store);
    throw error;
  }
}

/** Commits; a commit that is tried again succeeds again, also after a restart. */
export const commitTransaction: Command = {
  options: [],
  write: true,
  admin: true,
  async run(context: Context): Promise<Reply> {
    const { engine, session } = context;
    const number = numberOf(context);
    if (session!.state === 'committed' && session!.txnNumber === number) {
      await engine.store.durable();
      return ok();
    }
    const unit = openTransaction(session!, number);
    if (unit.changes.size > 0) engine.store.checkSpace();
    if (unit.changes.size > 0) unit.put(session!.storageKey, session!.stored(true));
    engine.cursors.closeAll({ transaction: unit });
    await commit(context, unit);
    return ok();
  },
};

export const abortTransaction: Command = {
  options: [],
  write: true,
  admin: true,
  run(context: Context): Reply {
    const { engine, session } = context;
    const unit = openTransaction(session!, numberOf(context));
    engine.cursors.closeAll({ transaction: unit });
    abort(session!, engine.store);
    return ok();
  },
};
