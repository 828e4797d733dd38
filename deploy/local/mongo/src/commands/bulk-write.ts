import { Doc } from '../language/doc.js';
import { MongoError } from '../language/errors.js';
import { isDocument, toNumber, type Document } from '../language/values.js';
import { newEffort } from '../query/execute.js';
import type { Reply } from '../wire/replies.js';
import { checkBatchSize, runBatch, type BatchOutcome } from './batch.js';
import type { Command } from './command.js';
import { checkedNs, type Context } from './context.js';
import { batchSizeOf, firstBatch } from './cursor-replies.js';
import { checkKeys, documents, flag, optionalNumber, text } from './fields.js';
import { insertOne } from './statements.js';
import { deleteAttempt, updateAttempt } from './writes.js';

/** The fields of the operations. */
export const operationKeys = {
  insert: ['insert', 'document'],
  update: ['update', 'filter', 'updateMods', 'multi', 'upsert', 'arrayFilters', 'hint', 'sort'],
  delete: ['delete', 'filter', 'multi', 'hint'],
} as const;

type Kind = keyof typeof operationKeys;

interface Operation {
  kind: Kind;
  ns: string;
  op: Document;
}

/** The namespaces that the operations name by their position. */
function namespaces(context: Context): string[] {
  return documents(context.body, 'nsInfo').map((info) => {
    checkKeys(info, ['ns'], 'bulkWrite.nsInfo');
    const ns = text(info, 'ns');
    const dot = ns.indexOf('.');
    return checkedNs(ns.slice(0, Math.max(0, dot)), dot < 0 ? '' : ns.slice(dot + 1));
  });
}

function operation(op: Document, all: string[]): Operation {
  const kind = Object.keys(op)[0] as Kind;
  if (!Object.hasOwn(operationKeys, kind))
    throw new MongoError('FailedToParse', `Unrecognized bulkWrite operation: ${kind}`);
  checkKeys(op, operationKeys[kind], `bulkWrite.ops.${kind}`);
  const ns = all[optionalNumber(op, kind) ?? -1];
  if (ns === undefined) throw new MongoError('BadValue', `BulkWrite ops entry has an invalid namespace index`);
  return { kind, ns, op };
}

/** What does an operation; its answer counts `n`, `nModified` and names what was `upserted`. */
function attemptOf(context: Context, { kind, ns, op }: Operation, bypass: boolean): () => Document {
  const { filter: q, hint, sort, arrayFilters, upsert } = op;
  if (kind === 'insert') {
    const document = insertedDocument(op);
    return () => {
      insertOne(context, ns, document, bypass);
      return { n: 1 };
    };
  }
  const multi = flag(op, 'multi');
  const shared = { q, ...(hint !== undefined && { hint }) };
  if (kind === 'delete') return deleteAttempt(context, ns, { ...shared, limit: multi ? 0 : 1 });
  const statement = { ...shared, u: op['updateMods'], multi, upsert, sort, arrayFilters };
  return updateAttempt(
    context,
    ns,
    Object.fromEntries(Object.entries(statement).filter(([, value]) => value !== undefined)),
    bypass,
  );
}

function insertedDocument(op: Document): Document {
  const document = op['document'];
  if (!isDocument(document))
    throw new MongoError('TypeMismatch', "BSON field 'bulkWrite.ops.document' must be an object");
  return document;
}

function itemOf(result: Document, idx: number, kind: Kind): Document {
  return {
    ok: 1,
    idx,
    n: result['n'],
    ...(kind === 'update' && { nModified: result['nModified'] }),
    ...('upserted' in result && { upserted: { _id: result['upserted'] } }),
  };
}

const zero = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };

function totals(operations: Operation[], { results }: BatchOutcome): Document {
  const sum = { ...zero };
  results.forEach((result, i) => {
    if (!result) return;
    const n = toNumber(result['n']);
    const { kind } = operations[i]!;
    if (kind === 'insert') sum.nInserted += n;
    else if (kind === 'delete') sum.nDeleted += n;
    else if ('upserted' in result) sum.nUpserted += 1;
    else {
      sum.nMatched += n;
      sum.nModified += toNumber(result['nModified']);
    }
  });
  return sum;
}

/** `bulkWrite` of server 8.0: writes of all kinds into several collections. */
export const bulkWrite: Command = {
  options: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'bypassDocumentValidation', 'let', 'cursor'],
  transactional: true,
  write: true,
  retryable: true,
  admin: true,
  async run(context: Context): Promise<Reply> {
    const { body } = context;
    const all = namespaces(context);
    const operations = documents(body, 'ops').map((op) => operation(op, all));
    checkBatchSize(operations.length);
    const ordered = body['ordered'] === undefined || flag(body, 'ordered');
    const bypass = flag(body, 'bypassDocumentValidation');
    const outcome = await runBatch(context, operations.length, ordered, (i) =>
      attemptOf(context, operations[i]!, bypass),
    );
    const items = outcome.results.flatMap((result, i) =>
      result && !flag(body, 'errorsOnly') ? [itemOf(result, i, operations[i]!.kind)] : [],
    );
    const errors = outcome.writeErrors.map(({ index, ...rest }) => ({ ok: 0, idx: index, n: 0, ...rest }));
    const shown = [...items, ...errors].sort(
      (a, b) => toNumber((a as Document)['idx']) - toNumber((b as Document)['idx']),
    );
    const reply = firstBatch(
      context,
      'admin.$cmd.bulkWrite',
      shown.map((item) => Doc.of(item).raw),
      newEffort(),
      { batchSize: batchSizeOf(body) ?? Infinity },
    );
    const { retriedStmtIds } = outcome;
    reply.extra = {
      nErrors: errors.length,
      ...totals(operations, outcome),
      ...(retriedStmtIds.length > 0 && { retriedStmtIds }),
      ok: 1,
    };
    return reply;
  },
};
