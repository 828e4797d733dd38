import { mongo, type ClientSession, type Connection } from 'mongoose';
import { driverError } from './connection.js';

/**
 * Runs work in a transaction, and again while it meets others or its connection breaks: nothing is tried again after
 * `timeoutMS`. Rejects as the work or the commit did. Not by the driver's `withTransaction`, which goes on for two minutes
 * whatever time-out it is given: a change would be made long after whoever asked for it was told that it failed.
 */
export const inTransaction = <T>(
  connection: Connection,
  timeoutMS: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> =>
  connection.withSession(async (session) => {
    const until = performance.now() + timeoutMS;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(session, work, until);
      } catch (error) {
        const pause = Math.random() * Math.min(FIRST_PAUSE_MS * GROWTH ** attempt, LONGEST_PAUSE_MS);
        if (!mayHelp(error) || performance.now() + pause >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  });

// As the driver waits between two tries.
const FIRST_PAUSE_MS = 5;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 500;

async function once<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  until: number,
): Promise<T> {
  session.startTransaction();
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    await session.abortTransaction();
    throw driverError(error);
  }
  await commit(session, until);
  return result;
}

/** Commits, and asks again what became of it while that is not known. */
async function commit(session: ClientSession, until: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult) || performance.now() >= until)
        throw error;
    }
  }
}

const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel(label);

/**
 * Whether another try of all may help. The driver says so itself, but not of a connection that the pool had given up by
 * then, as it has when many break at once. What may have been committed is not tried again.
 */
function mayHelp(error: unknown): boolean {
  if (hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult)) return false;
  return hasLabel(error, mongo.MongoErrorLabel.TransientTransactionError) || error instanceof mongo.MongoNetworkError;
}
