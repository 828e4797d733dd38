import { MongoError } from '../language/errors.js';
import { isDocument, toNumber, type Document } from '../language/values.js';
import type { Reply } from '../wire/replies.js';
import { batchReply, checkBatchSize, runBatch } from './batch.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { checkKeys, documentField, documents, flag, optionalDocument, optionalDocuments } from './fields.js';
import { hintOf } from './find.js';
import { deleter, insertOne, updater, type UpdateStatement } from './statements.js';

const ordered = ({ body }: Context): boolean => body['ordered'] === undefined || flag(body, 'ordered');

/** Outcomes that recur are the same object, so that a session keeps a long run of them as one. */
const insertedOne: Document = { n: 1 };
const updatedOne: Document = { n: 1, nModified: 1 };

export const insert: Command = {
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context: Context): Promise<Reply> {
    const { ns } = context;
    const inserted = documents(context.body, 'documents');
    checkBatchSize(inserted.length);
    const bypass = flag(context.body, 'bypassDocumentValidation');
    const outcome = await runBatch(context, inserted.length, ordered(context), (i) => () => {
      insertOne(context, ns, inserted[i]!, bypass);
      return insertedOne;
    });
    return { n: outcome.results.filter(Boolean).length, ...batchReply(outcome) };
  },
};

/** The fields of an element of `updates`. */
export const updateKeys = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'sort'];

/** One element of `updates`, or an update operation of `bulkWrite` in the same terms. */
function updateStatement(context: Context, ns: string, statement: Document, bypass: boolean): UpdateStatement {
  checkKeys(statement, updateKeys, 'update.updates');
  const update = statement['u'];
  if (!isDocument(update) && !Array.isArray(update))
    throw new MongoError('FailedToParse', 'Update argument must be either an object or an array');
  const multi = flag(statement, 'multi');
  if (multi && context.retryNumber !== undefined)
    throw new MongoError('InvalidOptions', 'Cannot use retryable writes with multi=true');
  if (multi && statement['sort'] !== undefined)
    throw new MongoError('FailedToParse', 'Cannot specify sort with multi=true');
  return {
    ns,
    filter: documentField(statement, 'q'),
    update: update as Document | Document[],
    multi,
    upsert: flag(statement, 'upsert'),
    arrayFilters: optionalDocuments(statement, 'arrayFilters'),
    sort: optionalDocument(statement, 'sort'),
    hint: hintOf(statement),
    let: optionalDocument(context.body, 'let'),
    bypass,
  };
}

/** What does an update statement and answers `{n, nModified, upserted?}`. */
export function updateAttempt(context: Context, ns: string, statement: Document, bypass: boolean): () => Document {
  const attempt = updater(context, updateStatement(context, ns, statement, bypass));
  return () => {
    const { matched, modified, ...rest } = attempt();
    if (matched === 1 && modified === 1) return updatedOne;
    return 'upsertedId' in rest
      ? { n: 1, nModified: 0, upserted: rest.upsertedId }
      : { n: matched, nModified: modified };
  };
}

/** Whether an upsert answered with an id, which may be null. */
const upserted = (results: (Document | undefined)[]): Document[] =>
  results.flatMap((result, index) => (result && 'upserted' in result ? [{ index, _id: result['upserted'] }] : []));

const total = (results: (Document | undefined)[], field: string): number =>
  results.reduce((sum, result) => sum + (result ? toNumber(result[field]) : 0), 0);

export const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context: Context): Promise<Reply> {
    const { ns } = context;
    const statements = documents(context.body, 'updates');
    checkBatchSize(statements.length);
    const bypass = flag(context.body, 'bypassDocumentValidation');
    const outcome = await runBatch(context, statements.length, ordered(context), (i) =>
      updateAttempt(context, ns, statements[i]!, bypass),
    );
    const ids = upserted(outcome.results);
    return {
      n: total(outcome.results, 'n'),
      nModified: total(outcome.results, 'nModified'),
      ...(ids.length > 0 && { upserted: ids }),
      ...batchReply(outcome),
    };
  },
};

/** The fields of an element of `deletes`. */
export const deleteKeys = ['q', 'limit', 'hint'];

export const deleteCommand: Command = {
  options: ['deletes', 'ordered', 'let'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context: Context): Promise<Reply> {
    const { ns } = context;
    const statements = documents(context.body, 'deletes');
    checkBatchSize(statements.length);
    const outcome = await runBatch(context, statements.length, ordered(context), (i) =>
      deleteAttempt(context, ns, statements[i]!),
    );
    return { n: total(outcome.results, 'n'), ...batchReply(outcome) };
  },
};

/** What does a delete statement and answers `{n}`. */
export function deleteAttempt(context: Context, ns: string, statement: Document): () => Document {
  checkKeys(statement, deleteKeys, 'delete.deletes');
  const limit = toNumber(statement['limit']);
  if (limit !== 0 && limit !== 1)
    throw new MongoError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  if (limit === 0 && context.retryNumber !== undefined)
    throw new MongoError('InvalidOptions', 'Cannot use retryable writes with limit=0');
  const hint = hintOf(statement);
  const target = { ns, filter: documentField(statement, 'q'), hint, let: optionalDocument(context.body, 'let') };
  const attempt = deleter(context, target, limit === 0);
  return () => ({ n: attempt().deleted });
}
