import { mongo, type ClientSession, type Connection } from 'mongoose';
import { fail } from '../errors.js';
import { driverError } from './connection.js';

/**
 * Runs work in a transaction and retries it on write conflicts and broken connections, for `timeoutMS` at most. Rejects as
 * the work or the commit did, or with TIMEOUT when `signal` is aborted before the commit; then nothing was applied. The
 * driver's `withTransaction` is not used: it retries for two minutes, long after the caller was told of a failure.
 */
export const inTransaction = <T>(
  connection: Connection,
  timeoutMS: number,
  work: (session: ClientSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  connection.withSession(async (session) => {
    const until = performance.now() + timeoutMS;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(session, work, { until, signal });
      } catch (error) {
        const pause = Math.random() * Math.min(FIRST_PAUSE_MS * GROWTH ** attempt, MAX_PAUSE_MS);
        if (!mayHelp(error) || signal?.aborted || performance.now() + pause >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  });

// The driver's backoff with a lower maximum. At the driver's 500 ms, a retried transaction on a hot document is overtaken by
// dozens of new ones and can exhaust its time.
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
    if (signal?.aborted) throw fail('TIMEOUT', 'The deadline passed; nothing was done.');
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
    } catch (thrown) {
      const error = commitError(thrown);
      if (!hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult) || performance.now() >= until)
        throw error;
    }
  }
}

/**
 * Returns the driver's error of a failed commit. The driver labels only its own errors; when a socket fails under the
 * commit, it throws Node's error or the TypeError that it meets while it looks for labels there.
 */
function commitError(thrown: unknown): unknown {
  if (thrown instanceof mongo.MongoError) return thrown;
  const error = new mongo.MongoNetworkError((thrown as Error).message, { cause: thrown as Error });
  error.addErrorLabel(mongo.MongoErrorLabel.UnknownTransactionCommitResult);
  return error;
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
