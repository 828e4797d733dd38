import { MongoError } from '../language/errors.js';
import { toNumber, type Document } from '../language/values.js';
import { Entry } from '../storage/log-batch.js';
import { Blocked } from '../storage/unit.js';
import type { Context } from './context.js';
import { writeError } from './write-errors.js';

/** What the statements of a write command did. */
export interface BatchOutcome {
  /** By statement; undefined where it failed or was not tried. */
  results: (Document | undefined)[];
  writeErrors: Document[];
  retriedStmtIds: number[];
}

/**
 * Does the statements of a write command one after the other, each through what `prepare` answers for it; its answer is a
 * document that is kept as the statement's outcome for retries. A failure ends the batch if `ordered`, and a transaction.
 */
export async function runBatch(
  context: Context,
  n: number,
  ordered: boolean,
  prepare: (index: number) => () => Document,
): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { results: [], writeErrors: [], retriedStmtIds: [] };
  const stmtIds = statementIds(context, n);
  let at = 0;
  let attempt: (() => Document) | undefined;
  await context.unblocked(() => {
    for (; at < n; at += 1, attempt = undefined) {
      try {
        if (retried(context, stmtIds[at]!, at, outcome)) continue;
        attempt ??= prepare(at);
        const result = attempt();
        outcome.results[at] = result;
        noteStatement(context, stmtIds[at]!, result);
      } catch (error) {
        if (error instanceof Blocked || !(error instanceof MongoError) || error.code === 50) throw error;
        outcome.writeErrors.push(writeError(at, error));
        if (ordered || context.inTransaction) return;
      }
    }
  });
  if (context.inTransaction && outcome.writeErrors.length > 0) context.failTransaction();
  return outcome;
}

/** Logs the outcome of a statement together with its write, so that a retry finds it even after a crash. */
export function noteStatement(context: Context, stmtId: number, result: Document): void {
  if (context.retryNumber === undefined) return;
  context.unit.batch.add(Entry.session, 0, context.session!.record(stmtId, result));
}

function retried(context: Context, stmtId: number, at: number, outcome: BatchOutcome): boolean {
  if (context.retryNumber === undefined) return false;
  const done = context.session!.statements.get(stmtId);
  if (!done) return false;
  outcome.results[at] = done.result;
  outcome.retriedStmtIds.push(stmtId);
  return true;
}

function statementIds({ body }: Context, n: number): number[] {
  const given = body['stmtIds'];
  if (Array.isArray(given)) {
    if (given.length !== n) throw new MongoError('InvalidLength', 'stmtIds must have one number for each statement');
    return given.map(toNumber);
  }
  const first = body['stmtId'] === undefined ? 0 : toNumber(body['stmtId']);
  return Array.from({ length: n }, (_, i) => first + i);
}

/** The fields that every write command's reply ends with. */
export const batchReply = ({ writeErrors, retriedStmtIds }: BatchOutcome): Document => ({
  ...(writeErrors.length > 0 && { writeErrors }),
  ...(retriedStmtIds.length > 0 && { retriedStmtIds }),
  ok: 1,
});

const maxBatchSize = 100_000;

export function checkBatchSize(n: number): void {
  if (n >= 1 && n <= maxBatchSize) return;
  throw new MongoError('InvalidLength', `Write batch sizes must be between 1 and ${maxBatchSize}. Got ${n} operations.`);
}
