import { mongo, type ClientSession, type Connection } from 'mongoose';
import { fail } from '../errors.js';
import { driverError, hasLabel } from './connection.js';
import { sleep } from '../async/time.js';

/**
 * Runs work in a transaction and retries it on write conflicts and lost connections, for `timeoutMs` at most. Rejects
 * with the error of the work or the commit, or with TIMEOUT if `signal` is aborted before the commit. If it rejects,
 * nothing was applied, unless the result of the commit is unknown. The driver's `withTransaction` is not used because
 * it retries for two minutes, long after the caller's deadline.
 */
export const inTransaction = <T>(
  connection: Connection,
  timeoutMs: number,
  work: (session: ClientSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  connection.withSession(async (session) => {
    const until = performance.now() + timeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(session, work, { until, signal });
      } catch (error) {
        const pause = Math.random() * Math.min(FIRST_PAUSE_MS * GROWTH ** attempt, MAX_PAUSE_MS);
        if (!isRetryable(error) || signal?.aborted || performance.now() + pause >= until) throw error;
        await sleep(pause);
      }
    }
  });

// The driver's backoff with a lower maximum. At the driver's 500 ms, dozens of new transactions on a hot document
// overtake a retried one, which can run out of time.
const FIRST_PAUSE_MS = 5;
const GROWTH = 1.5;
const MAX_PAUSE_MS = 40;

async function once<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  { until, signal }: { until: number; signal: AbortSignal | undefined },
): Promise<T> {
  session.startTransaction();
  let result: T;
  try {
    result = await work(session);
    if (signal?.aborted) throw fail('TIMEOUT', 'The request timed out. Nothing was changed.');
  } catch (error) {
    await session.abortTransaction();
    throw driverError(error);
  }
  await commit(session, until);
  return result;
}

/** Commits, and retries while the result is unknown. */
async function commit(session: ClientSession, until: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (thrown) {
      const error = commitError(thrown);
      if (!hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult) || performance.now() >= until)
        throw error;
    }
    await sleep(FIRST_PAUSE_MS);
  }
}

/**
 * Returns the error of a failed commit, labeled if the commit may have been applied. The driver labels the errors that
 * the server returns, but does not label the error of a connection that the pool had already dropped, or of a retry
 * that got no connection. If a socket fails during the commit, the driver throws the unlabeled error of Node.js, or a
 * TypeError because it expected labels on that error. A MongoAPIError, such as that of a closed client, is thrown
 * before anything is sent.
 */
function commitError(thrown: unknown): unknown {
  if (thrown instanceof mongo.MongoServerError || thrown instanceof mongo.MongoAPIError) return thrown;
  const error =
    thrown instanceof mongo.MongoError
      ? thrown
      : new mongo.MongoNetworkError((thrown as Error).message, { cause: thrown as Error });
  error.addErrorLabel(mongo.MongoErrorLabel.UnknownTransactionCommitResult);
  return error;
}

/**
 * Returns whether the whole transaction can be retried after an error. The driver labels retryable errors, unless the
 * pool had already dropped the connection, as happens when many connections break at once. A transaction that may have
 * been committed is not retried.
 */
function isRetryable(error: unknown): boolean {
  if (hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult)) return false;
  return hasLabel(error, mongo.MongoErrorLabel.TransientTransactionError) || error instanceof mongo.MongoNetworkError;
}
