import { CODES, fail, MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { Blocked } from '../storage/conflicts.js';
import type { Context } from './context.js';
import { CloseConnection } from './fail-points.js';
import { flag } from './fields.js';

/** What `hello` announces: the largest number of statements of a command. */
export const maxBatchSize = 100_000;

/** Failures of the command, not of one statement: the time limit, another transaction in the way, a stop. */
const endsCommand = new Set<number>([
  CODES.MaxTimeMSExpired,
  CODES.WriteConflict,
  CODES.SnapshotUnavailable,
  CODES.InterruptedAtShutdown,
]);

/** What the statements of a write command did. */
export interface BatchOutcome {
  /** By statement; undefined where it failed or was not tried. */
  results: (Document | undefined)[];
  writeErrors: Document[];
  retriedStmtIds: number[];
}

/**
 * Does the statements of a write command one after the other, each through what `prepare` answers for it; its answer is a
 * document that is kept as the statement's outcome for retries. A failure ends the batch, unless `ordered` is false, and a transaction.
 */
export async function runBatch(
  context: Context,
  n: number,
  prepare: (index: number) => () => Document,
): Promise<BatchOutcome> {
  if (n < 1 || n > maxBatchSize)
    fail('InvalidLength', `Write batch sizes must be between 1 and ${maxBatchSize}. Got ${n} operations.`);
  const ordered = context.body['ordered'] === undefined || flag(context.body, 'ordered');
  const outcome: BatchOutcome = { results: [], writeErrors: [], retriedStmtIds: [] };
  let at = 0;
  let attempt: (() => Document) | undefined;
  await context.unblocked(() => {
    for (; at < n; at += 1, attempt = undefined) {
      try {
        const done = context.outcomeOf(at);
        if (done) {
          outcome.results[at] = done;
          outcome.retriedStmtIds.push(at);
          continue;
        }
        context.checkBacklog();
        attempt ??= prepare(at);
        sufferWrite(context);
        const result = attempt();
        outcome.results[at] = result;
        context.recordStatement(at, result);
      } catch (error) {
        if (error instanceof Blocked || !(error instanceof MongoError) || endsCommand.has(error.code)) throw error;
        outcome.writeErrors.push({ index: at, code: error.code, errmsg: error.message, ...error.extra });
        if (ordered || context.inTransaction) return;
      }
    }
  });
  if (context.inTransaction && outcome.writeErrors.length > 0) context.failed = true;
  return outcome;
}

/** What the fail point for retryable writes does: nothing, or an end of the connection before or after the write. */
export function sufferWrite(context: Context): void {
  const failure = context.retryNumber === undefined ? undefined : context.engine.failPoints.failureForWrite();
  if (!failure) return;
  if (failure.error) throw failure.close ? new CloseConnection() : failure.error;
  context.closeAfterwards = failure.close;
}
