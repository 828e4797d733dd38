import { fail } from '../language/errors.js';
import { isDocument, toNumber, type Document } from '../language/values.js';
import type { Reply } from '../wire/replies.js';
import { runBatch } from './batch.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { checkKeys, documents, flag } from './fields.js';
import { deleter, insertOne, targetOf, updater } from './statements.js';

/** Outcomes that recur are the same object, so that a session keeps a long run of them as one. */
const insertedOne: Document = { n: 1 };
const updatedOne: Document = { n: 1, nModified: 1 };

type Results = (Document | undefined)[];
/** Checks a statement and returns what executes it. */
type Prepare = (context: Context, statement: Document) => () => Document;

/** A write command whose statements are the documents in `field`. */
function writeCommand(
  field: string,
  options: string[],
  prepare: Prepare,
  totals: (results: Results) => Document,
): Command {
  return {
    options: [field, 'ordered', ...options],
    transactional: true,
    write: true,
    retryable: true,
    async run(context: Context): Promise<Reply> {
      const statements = documents(context.body, field);
      flag(context.body, 'bypassDocumentValidation');
      const { results, writeErrors, retriedStmtIds } = await runBatch(context, statements.length, (i) =>
        prepare(context, statements[i]!),
      );
      return {
        ...totals(results),
        ...(writeErrors.length > 0 && { writeErrors }),
        ...(retriedStmtIds.length > 0 && { retriedStmtIds }),
        ok: 1,
      };
    },
  };
}

const total = (results: Results, field: string): number =>
  results.reduce((sum, result) => sum + (result ? toNumber(result[field]) : 0), 0);
const countOf = (results: Results): Document => ({ n: total(results, 'n') });

const prepareInsert: Prepare = (context, document) => () => {
  insertOne(context, context.ns, document);
  return insertedOne;
};

export const insert = writeCommand('documents', ['bypassDocumentValidation'], prepareInsert, countOf);

/** The fields of an element of `updates`. */
export const updateKeys = ['q', 'u', 'multi', 'upsert', 'hint', 'sort'];

const prepareUpdate: Prepare = (context, statement) => {
  checkKeys(statement, updateKeys, 'update.updates');
  const update = statement['u'];
  if (!isDocument(update) && !Array.isArray(update))
    fail('FailedToParse', 'Update argument must be either an object or an array');
  const multi = flag(statement, 'multi');
  if (multi && context.retryNumber !== undefined) fail('InvalidOptions', 'Cannot use retryable writes with multi=true');
  if (multi && statement['sort'] !== undefined) fail('FailedToParse', 'Cannot specify sort with multi=true');
  const attempt = updater(context, {
    ...targetOf(context, statement, 'q'),
    update: update as Document | Document[],
    multi,
    upsert: flag(statement, 'upsert'),
  });
  return () => {
    const { matched, modified, ...rest } = attempt();
    if (matched === 1 && modified === 1) return updatedOne;
    // The id may be null.
    return 'upsertedId' in rest
      ? { n: 1, nModified: 0, upserted: rest.upsertedId }
      : { n: matched, nModified: modified };
  };
};

export const update = writeCommand('updates', ['bypassDocumentValidation', 'let'], prepareUpdate, (results) => {
  const upserted = results.flatMap((result, index) =>
    result && 'upserted' in result ? [{ index, _id: result['upserted'] }] : [],
  );
  return { ...countOf(results), nModified: total(results, 'nModified'), ...(upserted.length > 0 && { upserted }) };
});

/** The fields of an element of `deletes`. */
export const deleteKeys = ['q', 'limit', 'hint'];

const prepareDelete: Prepare = (context, statement) => {
  checkKeys(statement, deleteKeys, 'delete.deletes');
  const limit = toNumber(statement['limit']);
  if (limit !== 0 && limit !== 1)
    fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  if (limit === 0 && context.retryNumber !== undefined)
    fail('InvalidOptions', 'Cannot use retryable writes with limit=0');
  const attempt = deleter(context, targetOf(context, statement, 'q'), limit === 0);
  return () => ({ n: attempt().deleted });
};

export const deleteCommand = writeCommand('deletes', ['let'], prepareDelete, countOf);
