import { requireOpenTransaction } from '../sessions/enter.js';
import { ok, type CommandTable } from './command.js';
import type { Context } from './context.js';

const numberOf = ({ body }: Context): bigint => BigInt(body['txnNumber'] as bigint);

export const transactionCommands: CommandTable = {
  commitTransaction: {
    write: true,
    admin: true,
    async run(context) {
      const { engine } = context;
      const session = context.session!;
      const number = numberOf(context);
      // A retried commit succeeds again, even after a restart.
      if (session.state === 'committed' && session.txnNumber === number) {
        await engine.store.durable();
        return ok();
      }
      const transaction = requireOpenTransaction(session, number);
      if (transaction.changes.size > 0) {
        engine.store.checkSpace();
        transaction.put(session.storageKey, session.toRecord(true));
      }
      try {
        const durable = engine.store.commit(transaction);
        session.markCommitted();
        await durable;
      } catch (error) {
        engine.sessions.abort(session);
        throw error;
      }
      return ok();
    },
  },

  abortTransaction: {
    write: true,
    admin: true,
    run(context) {
      const { engine, session } = context;
      // Throws if the session has no open transaction with this number.
      requireOpenTransaction(session!, numberOf(context));
      engine.sessions.abort(session!);
      return ok();
    },
  },
};
