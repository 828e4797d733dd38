import { toRaw, type RawDoc } from '../bson/raw.js';
import { compilePipeline, type Output, type Pipeline, type PipelineHost } from '../language/aggregate.js';
import { encode } from '../language/encode.js';
import { MongoError } from '../language/errors.js';
import { newDocument, type Document } from '../language/values.js';
import { newEffort, type Effort } from '../query/execute.js';
import { CursorReply, type Reply } from '../wire/replies.js';
import type { Command } from './command.js';
import { checkedDb, type Context } from './context.js';
import { firstBatch } from './cursor-replies.js';
import { count, documents, flag, optionalDocument, refuseCollation } from './fields.js';
import { hits, isEmptyHint, search } from './find.js';
import { writeOutput } from './output.js';

function* decodedHits(
  context: Context,
  ns: string,
  filter: Document,
  effort: Effort,
  hint?: unknown,
): Iterable<Document> {
  const variables = optionalDocument(context.body, 'let');
  const found = search(context, ns, filter, { hint, ...(variables && { let: variables }) });
  for (const { doc } of hits(context, found, effort)) yield doc.decoded;
}

/** What the pipeline may read beside its own collection, in the same snapshot. */
const hostFor = (context: Context, effort: Effort): PipelineHost => ({
  collection: (name, filter) => decodedHits(context, context.nsOf(name), filter ?? newDocument(), effort),
});

function* rawResults(results: Iterable<Document>): Iterable<RawDoc> {
  for (const result of results) yield toRaw(encode(result));
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
  ns: string,
  { match, id, field }: NonNullable<ReturnType<typeof countOnly>>,
  effort: Effort,
  hint: unknown,
): Iterable<Document> {
  const variables = optionalDocument(context.body, 'let');
  const found = search(context, ns, match, { hint, ...(variables && { let: variables }) });
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

function checkOutput(context: Context, output: Output): void {
  if (context.inTransaction)
    throw new MongoError('OperationNotSupportedInTransaction', `$${output.kind} cannot be used in a transaction`);
  const level = (context.body['readConcern'] as Document | undefined)?.['level'];
  if (level === 'linearizable')
    throw new MongoError('InvalidOptions', `$${output.kind} cannot be used with a 'linearizable' read concern level`);
  if (output.db !== undefined) checkedDb(output.db);
}

export const aggregate: Command = {
  options: ['pipeline', 'cursor', 'explain', 'allowDiskUse', 'bypassDocumentValidation', 'hint', 'let', 'collation'],
  transactional: true,
  read: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body } = context;
    refuseCollation(body);
    if (flag(body, 'explain'))
      throw new MongoError(
        'CommandNotSupported',
        "the option 'explain' of aggregate is not supported; use the explain command",
      );
    flag(body, 'allowDiskUse');
    const cursorOptions = optionalDocument(body, 'cursor');
    if (!cursorOptions)
      throw new MongoError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    const stages = documents(body, 'pipeline');
    const variables = optionalDocument(body, 'let');
    const effort = newEffort(context.deadline);
    const hint = isEmptyHint(body['hint']) ? undefined : body['hint'];
    const plain = typeof body['aggregate'] === 'string' ? countOnly(stages) : undefined;
    if (plain)
      return firstBatch(context, context.ns, rawResults(counted(context, context.ns, plain, effort, hint)), effort);
    const pipeline = compilePipeline(stages, variables ? { let: variables } : {});
    const ns = namespaceOf(context, pipeline);
    if (pipeline.output) checkOutput(context, pipeline.output);
    const source = pipeline.generates
      ? []
      : decodedHits(context, ns, pipeline.leadingFilter ?? newDocument(), effort, hint);
    const results = pipeline.run(source, hostFor(context, effort));
    if (pipeline.output) {
      await writeOutput(context, pipeline.output, results);
      return new CursorReply('firstBatch', [], 0n, ns);
    }
    return firstBatch(context, ns, rawResults(results), effort, { batchSize: count(cursorOptions, 'batchSize') });
  },
};
