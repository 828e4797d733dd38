import { mongo, type ClientSession, type Connection } from 'mongoose';
import { driverError } from './connection.js';

/**
 * Runs work in a transaction, and again while it meets others or its connection breaks, for as long as `timeoutMS` allows.
 * Rejects as the work or the commit did.
 */
export const inTransaction = <T>(
  connection: Connection,
  timeoutMS: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> =>
  connection.withSession((session) =>
    session.withTransaction(
      () =>
        work(session).catch((error: unknown) => {
          throw labelled(driverError(error));
        }),
      { timeoutMS },
    ),
  );

/**
 * Says of a broken connection that another try may help. The driver does so itself, but not where the pool had given the
 * connection up by then, as it has when many break at once.
 */
function labelled(error: unknown): unknown {
  if (error instanceof mongo.MongoNetworkError) error.addErrorLabel(mongo.MongoErrorLabel.TransientTransactionError);
  return error;
}
