import { Doc } from '../language/doc.js';
import { compilePipeline, type Pipeline } from '../language/aggregate.js';
import { MongoError } from '../language/errors.js';
import { bindVariables } from '../language/expression.js';
import type { Output } from '../language/stages/output.js';
import { newDocument, type Document } from '../language/values.js';
import { newEffort, type Effort } from '../query/execute.js';
import { CursorReply, type Reply } from '../wire/replies.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { batchSizeOf, firstBatch } from './cursor-replies.js';
import { documents, flag, optionalDocument } from './fields.js';
import { hintOf, hits, search, type Search } from './find.js';
import { writeOutput } from './output.js';

function* decodedHits(context: Context, found: Search, effort: Effort): Iterable<Document> {
  for (const { doc } of hits(context, found, effort)) yield doc.decoded;
}

function* rawResults(results: Iterable<Document>): Iterable<Buffer> {
  for (const result of results) yield Doc.of(result).raw;
}

/** `countDocuments` and its like need no document decoded: `[{$match}, {$group: {_id: <constant>, n: {$sum: 1}}}]`. */
function countOnly(stages: Document[]): { match: Document; id: unknown; field: string } | undefined {
  const [first, second] = stages;
  const group = (stages.length === 2 ? second?.['$group'] : undefined) as Document | undefined;
  const match = first?.['$match'] as Document | undefined;
  if (!group || !match || Object.keys(first!).length !== 1 || Object.keys(second!).length !== 1) return undefined;
  const [field, ...others] = Object.keys(group).filter((key) => key !== '_id');
  if (field === undefined || others.length > 0 || (typeof group['_id'] !== 'number' && group['_id'] !== null))
    return undefined;
  const sum = group[field] as Document | undefined;
  return sum && Object.keys(sum).length === 1 && sum['$sum'] === 1 ? { match, id: group['_id'], field } : undefined;
}

function* counted(
  context: Context,
  found: Search,
  { id, field }: { id: unknown; field: string },
  effort: Effort,
): Iterable<Document> {
  let n = 0;
  for (const _ of hits(context, found, effort)) n += 1;
  if (n > 0) yield { _id: id, [field]: n };
}

/** The namespace of an aggregation; `aggregate: 1` is one over the database itself. */
function namespaceOf(context: Context, pipeline: Pipeline): string {
  const target = context.body['aggregate'];
  if (typeof target === 'string') return context.nsOf(target);
  if (!pipeline.generates)
    throw new MongoError('InvalidNamespace', '{aggregate: 1} is not valid for a pipeline that reads a collection');
  return `${context.db}.$cmd.aggregate`;
}

function checkOutput(context: Context, { stage }: Output): void {
  if (context.inTransaction)
    throw new MongoError('OperationNotSupportedInTransaction', `${stage} cannot be used in a transaction`);
  const level = (context.body['readConcern'] as Document | undefined)?.['level'];
  if (level === 'linearizable')
    throw new MongoError('InvalidOptions', `${stage} cannot be used with a 'linearizable' read concern level`);
}

export const aggregate: Command = {
  options: ['pipeline', 'cursor', 'allowDiskUse', 'hint', 'let'],
  transactional: true,
  read: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body } = context;
    flag(body, 'allowDiskUse');
    if (!optionalDocument(body, 'cursor')) throw new MongoError('FailedToParse', "The 'cursor' option is required");
    const batchSize = batchSizeOf(body);
    const stages = documents(body, 'pipeline');
    const values = optionalDocument(body, 'let');
    const effort = newEffort(context.deadline);
    const find = (ns: string, filter: Document): Search =>
      search(context, ns, filter, { hint: hintOf(body), let: values });
    const plain = typeof body['aggregate'] === 'string' ? countOnly(stages) : undefined;
    if (plain) {
      const results = counted(context, find(context.ns, plain.match), plain, effort);
      return firstBatch(context, context.ns, rawResults(results), effort);
    }
    const pipeline = compilePipeline(stages, bindVariables(values));
    const ns = namespaceOf(context, pipeline);
    if (pipeline.output) checkOutput(context, pipeline.output);
    const source = pipeline.generates
      ? []
      : decodedHits(context, find(ns, pipeline.leadingFilter ?? newDocument()), effort);
    const results = pipeline.run(source);
    if (!pipeline.output) return firstBatch(context, ns, rawResults(results), effort, { batchSize });
    await writeOutput(context, pipeline.output, results);
    return new CursorReply('firstBatch', [], 0n, ns);
  },
};
