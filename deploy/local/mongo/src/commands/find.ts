import { Doc } from '../language/doc.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { slice } from '../language/pipeline.js';
import { compileProjection } from '../language/project.js';
import { compileSort } from '../language/sort.js';
import type { Document } from '../language/values.js';
import { newEffort, run, type Effort, type Hit } from '../query/execute.js';
import { planFor, type Plan } from '../query/plan.js';
import type { Collection } from '../storage/collection.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { firstBatch } from './cursors.js';
import { count, documentField, flag, optionalDocument } from './fields.js';

/** A planned query. Without a collection there is no plan. */
export interface Search {
  collection: Collection | undefined;
  plan: Plan | undefined;
  filter: Filter;
  sort: Document | undefined;
  /** Maximum number of documents that are needed. */
  limit?: number;
}

export interface SearchOptions {
  sort?: Document | undefined;
  hint?: unknown;
}

/** Compiles and plans a query. Throws for an invalid filter, sort or hint, even if the collection does not exist. */
export function search(context: Context, ns: string, source: Document, { sort, hint }: SearchOptions = {}): Search {
  const filter = compileFilter(source);
  if (sort) compileSort(sort);
  const { store } = context.engine;
  const collection = store.find(ns, context.unit);
  if (collection) store.use(collection, context.unit);
  return { collection, filter, plan: collection && planFor(collection, { filter, source, sort, hint }), sort };
}

/** Returns the documents of a search, in order. */
export function hits(context: Context, { collection, plan, sort, limit }: Search, effort: Effort): Iterable<Hit> {
  return collection && plan ? run(collection, plan, context.reader, effort, sort, limit) : [];
}

/** Returns the sort and hint of a command or a statement, unless they are empty. */
export function searchOptions(body: Document): SearchOptions {
  const sort = optionalDocument(body, 'sort');
  const { hint } = body;
  const hasHint = typeof hint === 'string' || (typeof hint === 'object' && hint && Object.keys(hint).length > 0);
  return { sort: sort && Object.keys(sort).length > 0 ? sort : undefined, hint: hasHint ? hint : undefined };
}

/** Returns the projection in a field of a command, unless it is empty. */
export function projectionOf(body: Document, name: string): ((document: Document) => Document) | undefined {
  const spec = documentField(body, name);
  return Object.keys(spec).length > 0 ? compileProjection(spec) : undefined;
}

/** Plans a `find` command, and returns its documents with the effort that reading them takes. */
export function findHits(context: Context, body: Document): { found: Search; effort: Effort; result: Iterable<Hit> } {
  const [skip, limit] = [count(body, 'skip') ?? 0, count(body, 'limit') || Infinity];
  const found = search(context, context.nsOf(body['find']), documentField(body, 'filter'), searchOptions(body));
  const effort = newEffort(context.deadline);
  const result = hits(context, { ...found, limit: skip + limit }, effort);
  return { found, effort, result: skip + limit < Infinity || skip > 0 ? slice(result, skip, limit) : result };
}

export const find: Command = {
  options: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch', 'allowDiskUse'],
  transactional: true,
  read: true,
  run(context) {
    const { body, ns } = context;
    flag(body, 'allowDiskUse');
    const project = projectionOf(body, 'projection');
    const { result, effort } = findHits(context, body);
    const documents = (function* (): Iterable<Buffer> {
      for (const { doc } of result) yield project ? Doc.of(project(doc.decoded)).raw : doc.raw;
    })();
    const options = { batchSize: count(body, 'batchSize'), singleBatch: flag(body, 'singleBatch') };
    return firstBatch(context, ns, documents, effort, options);
  },
};
