import { Doc } from '../language/doc.js';
import { compilePipeline } from '../language/aggregate.js';
import { fail } from '../language/errors.js';
import { bindVariables } from '../language/expression.js';
import { newDocument, type Document } from '../language/values.js';
import { newEffort, type Effort } from '../query/execute.js';
import type { Reply } from '../wire/replies.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { batchSizeOf, firstBatch } from './cursor-replies.js';
import { documents, flag, optionalDocument } from './fields.js';
import { hintOf, hits, search, type Search } from './find.js';

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

export const aggregate: Command = {
  options: ['pipeline', 'cursor', 'allowDiskUse', 'hint', 'let'],
  transactional: true,
  read: true,
  // Drivers send a write concern with a stage that writes, which is refused by its name.
  write: true,
  run(context: Context): Reply {
    const { body } = context;
    flag(body, 'allowDiskUse');
    if (!optionalDocument(body, 'cursor')) fail('FailedToParse', "The 'cursor' option is required");
    const batchSize = batchSizeOf(body);
    const stages = documents(body, 'pipeline');
    const values = optionalDocument(body, 'let');
    const pipeline = compilePipeline(stages, bindVariables(values));
    const { ns } = context;
    const effort = newEffort(context.deadline);
    const find = (filter: Document): Search => search(context, ns, filter, { hint: hintOf(body), let: values });
    const plain = countOnly(stages);
    if (plain) return firstBatch(context, ns, rawResults(counted(context, find(plain.match), plain, effort)), effort);
    const source = decodedHits(context, find(pipeline.leadingFilter ?? newDocument()), effort);
    return firstBatch(context, ns, rawResults(pipeline.run(source)), effort, { batchSize });
  },
};
