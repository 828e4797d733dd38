import { Doc } from '../language/doc.js';
import { bindVariables } from '../language/expression.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { compileProjection } from '../language/project.js';
import { compileSort } from '../language/sort.js';
import type { Document } from '../language/values.js';
import { newEffort, run, type Effort, type Hit } from '../query/execute.js';
import { planFor, type Plan, type Query } from '../query/plan.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { firstBatch } from './cursor-replies.js';
import { count, documentField, flag, optionalDocument } from './fields.js';

/** A query of a command, planned. */
export interface Search {
  collection: Collection | undefined;
  /** Undefined without a collection. */
  plan: Plan | undefined;
  filter: Filter;
  sort: Document | undefined;
  /** How many documents are wanted at most. */
  limit?: number;
}

export interface SearchOptions {
  sort?: Document | undefined;
  hint?: unknown;
  let?: Document | undefined;
}

/** Compiles and plans a query. Throws what the server does for a wrong filter, sort or hint, be the collection there or not. */
export function search(context: Context, ns: string, source: Document, options: SearchOptions = {}): Search {
  const variables = bindVariables(options.let);
  const filter = compileFilter(source, variables);
  const sort = options.sort && Object.keys(options.sort).length > 0 ? options.sort : undefined;
  if (sort) compileSort(sort);
  const collection = context.engine.store.find(ns, context.unit);
  if (collection) context.engine.store.use(collection, context.unit);
  const query: Query = { filter, source, sort, hint: options.hint, variables };
  return { collection, filter, plan: collection && planFor(collection, query), sort };
}

/** The documents that a search finds, in order. */
export function hits(context: Context, { collection, plan, sort, limit }: Search, effort: Effort): Iterable<Hit> {
  return collection && plan ? run(collection, plan, context.reader, effort, sort, limit) : [];
}

/** Fields of `find` that say what to search for, which `explain` shares. */
export function findSearch(context: Context, body: Document): Search {
  return search(context, context.nsOf(body['find']), documentField(body, 'filter'), {
    sort: optionalDocument(body, 'sort'),
    hint: hintOf(body),
    let: optionalDocument(body, 'let'),
  });
}

/** The hint of a command or a statement, unless it is empty. */
export function hintOf({ hint }: Document): unknown {
  const isEmpty = hint === undefined || hint === null || (typeof hint === 'object' && Object.keys(hint).length === 0);
  return isEmpty ? undefined : hint;
}

/** Skips and limits a result. */
export function* slice<T>(items: Iterable<T>, skip: number, limit: number): Iterable<T> {
  if (limit === 0) limit = Infinity;
  let at = 0;
  for (const item of items) {
    at += 1;
    if (at <= skip) continue;
    yield item;
    if (at >= skip + limit) return;
  }
}

function* projected(
  found: Iterable<Hit>,
  projection: ((document: Document) => Document) | undefined,
): Iterable<Buffer> {
  for (const { doc } of found) yield projection ? Doc.of(projection(doc.decoded)).raw : doc.raw;
}

/** The projection in a field of a command, unless it is empty. */
export function projectionOf(body: Document, name: string): ((document: Document) => Document) | undefined {
  const spec = documentField(body, name);
  return Object.keys(spec).length > 0 ? compileProjection(spec) : undefined;
}

/** How many documents to skip, and the limit; 0 for none. */
export function rangeOf(body: Document): { skip: number; limit: number } {
  return { skip: count(body, 'skip') ?? 0, limit: count(body, 'limit') ?? 0 };
}

export const find: Command = {
  options: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch', 'let', 'allowDiskUse'],
  transactional: true,
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    flag(body, 'allowDiskUse');
    const { skip, limit } = rangeOf(body);
    const found = findSearch(context, body);
    const projection = projectionOf(body, 'projection');
    const effort = newEffort(context.deadline);
    let result = hits(context, limit > 0 ? { ...found, limit: skip + limit } : found, effort);
    if (skip > 0 || limit > 0) result = slice(result, skip, limit);
    return firstBatch(context, ns, projected(result, projection), effort, {
      batchSize: count(body, 'batchSize'),
      singleBatch: flag(body, 'singleBatch'),
    });
  },
};
