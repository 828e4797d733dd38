import type { Doc } from '../language/doc.js';
import { CODES, fail, MongoError } from '../language/errors.js';
import { project } from '../language/project.js';
import { toNumber, type Document } from '../language/values.js';
import { Blocked } from '../storage/conflicts.js';
import type { Command, CommandTable } from './command.js';
import type { Context } from './context.js';
import { checkKeys, documents, flag } from './fields.js';
import { projectionOf } from './find.js';
import { deleter, insertOne, targetOf, updater } from './statements.js';

export const MAX_BATCH_SIZE = 100_000;

/** Errors that end the whole command instead of failing one statement. */
const ENDS_COMMAND = new Set<number>([
  CODES.MaxTimeMSExpired,
  CODES.WriteConflict,
  CODES.SnapshotUnavailable,
  CODES.InterruptedAtShutdown,
]);

/** Shared objects for common outcomes: a session stores consecutive identical objects once. */
const INSERTED_ONE: Document = { n: 1 };
const UPDATED_ONE: Document = { n: 1, nModified: 1 };

/** The outcome of each statement; undefined if the statement failed or was not executed. */
type Results = (Document | undefined)[];
/**
 * Compiles a statement. Returns a function that executes it and returns its outcome. The function is called again if it
 * throws Blocked.
 */
type Prepare = (context: Context, statement: Document) => () => Document;

/**
 * Executes statements in order. In a transaction, a failed statement ends the batch and aborts the transaction. Outside
 * of transactions, it ends the batch unless `ordered` is false. Returns the outcomes, and the `writeErrors` and
 * `retriedStmtIds` of the reply.
 */
async function runBatch(context: Context, statements: Document[], prepare: Prepare): Promise<[Results, Document]> {
  const { length } = statements;
  if (length < 1 || length > MAX_BATCH_SIZE)
    fail('InvalidLength', `Write batch sizes must be between 1 and ${MAX_BATCH_SIZE}. Got ${length} operations.`);
  const isOrdered = context.body['ordered'] === undefined || flag(context.body, 'ordered');
  const results: Results = [];
  const [writeErrors, retriedStmtIds]: [Document[], number[]] = [[], []];
  let at = 0;
  let attempt: (() => Document) | undefined;
  await context.executeWrites(() => {
    for (; at < length; at += 1, attempt = undefined) {
      try {
        results[at] = context.outcomeOf(at);
        if (results[at]) {
          retriedStmtIds.push(at);
          continue;
        }
        context.checkBacklog();
        if (!attempt) {
          attempt = prepare(context, statements[at]!);
          context.applyWriteFailPoint();
        }
        context.recordStatement(at, (results[at] = attempt()));
      } catch (error) {
        if (error instanceof Blocked || !(error instanceof MongoError) || ENDS_COMMAND.has(error.code)) throw error;
        writeErrors.push({ index: at, code: error.code, errmsg: error.message, ...error.extra });
        if (isOrdered || context.transaction) return;
      }
    }
  });
  if (writeErrors.length > 0) context.failed = true;
  return [
    results,
    { ...(writeErrors.length > 0 && { writeErrors }), ...(retriedStmtIds.length > 0 && { retriedStmtIds }) },
  ];
}

/** Defines a write command whose statements are the documents in `field`. */
const writeCommand = (
  field: string,
  options: string[],
  prepare: Prepare,
  totals: (results: Results) => Document,
): Command => ({
  options: [field, 'ordered', ...options],
  transactional: true,
  write: true,
  retryable: true,
  async run(context) {
    flag(context.body, 'bypassDocumentValidation');
    const [results, details] = await runBatch(context, documents(context.body, field), prepare);
    return { ...totals(results), ...details, ok: 1 };
  },
});

const total = (results: Results, field: string): number =>
  results.reduce((sum, result) => sum + (result ? toNumber(result[field]) : 0), 0);
const countOf = (results: Results): Document => ({ n: total(results, 'n') });

const prepareInsert: Prepare = (context, document) => () => {
  insertOne(context, context.ns, document);
  return INSERTED_ONE;
};

export const updateKeys = ['q', 'u', 'multi', 'upsert', 'hint', 'sort'];

const prepareUpdate: Prepare = (context, statement) => {
  checkKeys(statement, updateKeys, 'update.updates');
  const multi = flag(statement, 'multi');
  if (multi && context.retryableTxnNumber !== undefined)
    fail('InvalidOptions', 'Cannot use retryable writes with multi=true');
  if (multi && statement['sort'] !== undefined) fail('FailedToParse', 'Cannot specify sort with multi=true');
  const attempt = updater(context, targetOf(context, statement, 'q', multi), statement);
  return () => {
    const { matched, modified, ...rest } = attempt();
    if (matched === 1 && modified === 1) return UPDATED_ONE;
    // The upserted id may be null.
    const isUpserted = 'upsertedId' in rest;
    return isUpserted ? { n: 1, nModified: 0, upserted: rest.upsertedId } : { n: matched, nModified: modified };
  };
};

function updateTotals(results: Results): Document {
  const upserted = results.flatMap((result, index) =>
    result && 'upserted' in result ? [{ index, _id: result['upserted'] }] : [],
  );
  return { ...countOf(results), nModified: total(results, 'nModified'), ...(upserted.length > 0 && { upserted }) };
}

export const deleteKeys = ['q', 'limit', 'hint'];

const prepareDelete: Prepare = (context, statement) => {
  checkKeys(statement, deleteKeys, 'delete.deletes');
  const limit = toNumber(statement['limit']);
  if (limit !== 0 && limit !== 1)
    fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  if (limit === 0 && context.retryableTxnNumber !== undefined)
    fail('InvalidOptions', 'Cannot use retryable writes with limit=0');
  const attempt = deleter(context, targetOf(context, statement, 'q', limit === 0));
  return () => ({ n: attempt().matched });
};

/** Returns the `value` of the reply: the document after the projection, or null if there is no document. */
type ToValue = (doc: Doc | null) => Document | null;

function removal(context: Context, toValue: ToValue): () => Document {
  const { body } = context;
  for (const other of ['update', 'upsert', 'new'])
    if (body[other] !== undefined && body[other] !== false)
      fail('FailedToParse', `Cannot specify both ${other} and remove=true`);
  const attempt = deleter(context, targetOf(context, body, 'query'));
  return () => {
    const { matched, before } = attempt();
    return { lastErrorObject: { n: matched }, value: toValue(before) };
  };
}

function modification(context: Context, toValue: ToValue): () => Document {
  const { body } = context;
  const returnsNew = flag(body, 'new');
  const attempt = updater(context, targetOf(context, body, 'query'), body, 'update');
  return () => {
    const { matched, before, after, ...rest } = attempt();
    const isUpserted = 'upsertedId' in rest;
    const lastErrorObject = {
      n: isUpserted ? 1 : matched,
      updatedExisting: matched > 0,
      ...(isUpserted && { upserted: rest.upsertedId }),
    };
    return { lastErrorObject, value: toValue(returnsNew ? after : before) };
  };
}

const findAndModify: Command = {
  options: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'hint'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context) {
    const { body } = context;
    const includes = projectionOf(body, 'fields');
    const toValue: ToValue = (doc) => doc && (includes ? project(doc.decoded, includes) : doc.decoded);
    const attempt = flag(body, 'remove') ? removal(context, toValue) : modification(context, toValue);
    let hasBegun = false;
    const result = await context.executeWrites(() => {
      // Check again after each wait: a retry of the same command may also have waited, and may have executed the write.
      const done = context.outcomeOf(0);
      if (done) return { ...done, retriedStmtId: 0 };
      if (!hasBegun) context.applyWriteFailPoint();
      hasBegun = true;
      const outcome = attempt();
      context.recordStatement(0, outcome);
      return outcome;
    });
    return { ...result, ok: 1 };
  },
};

export const writeCommands: CommandTable = {
  insert: writeCommand('documents', ['bypassDocumentValidation'], prepareInsert, countOf),
  update: writeCommand('updates', ['bypassDocumentValidation'], prepareUpdate, updateTotals),
  delete: writeCommand('deletes', [], prepareDelete, countOf),
  findAndModify,
};
