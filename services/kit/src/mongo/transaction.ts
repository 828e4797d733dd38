import type { ClientSession, Connection } from 'mongoose';
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
          // The driver looks for the label that asks for another try on the error itself.
          throw driverError(error);
        }),
      { timeoutMS },
    ),
  );
