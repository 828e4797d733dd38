import { Doc } from '../bson/doc.js';
import type { RawDoc } from '../bson/raw.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { compileProjection } from '../language/project.js';
import { compileSort } from '../language/sort.js';
import { MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { newEffort, run, type Effort, type Hit } from '../query/execute.js';
import { planFor, type Plan, type Query } from '../query/plan.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { firstBatch } from './cursor-replies.js';
import { count, documentField, flag, optionalDocument, optionalNumber, refuseCollation, refuseSet } from './fields.js';

/** A query of a command, planned. */
export interface Search {
  collection: Collection | undefined;
  plan: Plan;
  sort: Document | undefined;
  filter: Filter;
}

export interface SearchOptions {
  sort?: Document | undefined;
  hint?: unknown;
  let?: Document | undefined;
}

/** Compiles and plans a query. Throws what the server does for a wrong filter, sort or hint, be the collection there or not. */
export function search(context: Context, ns: string, source: Document, options: SearchOptions = {}): Search {
  const filter = compileFilter(source, options.let ? { let: options.let } : {});
  const sort = options.sort && Object.keys(options.sort).length > 0 ? options.sort : undefined;
  if (sort && !('$natural' in sort)) compileSort(sort);
  const collection = context.engine.store.find(ns, context.view);
  if (collection) context.engine.store.use(collection, context.unit);
  const query: Query = { filter, source, sort, hint: options.hint, let: options.let };
  return { collection, plan: collection ? planFor(collection, query) : { kind: 'none' }, sort, filter };
}

/** The documents that a search finds, in order. */
export function hits(context: Context, { collection, plan, sort }: Search, effort: Effort): Iterable<Hit> {
  return collection ? run(collection, plan, context.view, effort, sort) : [];
}

/** Fields of `find` that say what to search for, which `explain` shares. */
export function findSearch(context: Context, body: Document): Search {
  const hint = body['hint'];
  return search(context, context.nsOf(body['find']), documentField(body, 'filter'), {
    sort: optionalDocument(body, 'sort'),
    hint: isEmptyHint(hint) ? undefined : hint,
    let: optionalDocument(body, 'let'),
  });
}

export const isEmptyHint = (hint: unknown): boolean =>
  hint === undefined || hint === null || (typeof hint === 'object' && Object.keys(hint).length === 0);

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
): Iterable<RawDoc> {
  for (const { doc } of found) yield projection ? Doc.of(projection(doc.decoded)).raw : doc.raw;
}

function projectionOf(body: Document, filter: Filter): ((document: Document) => Document) | undefined {
  const spec = optionalDocument(body, 'projection');
  if (!spec || Object.keys(spec).length === 0) return undefined;
  const variables = optionalDocument(body, 'let');
  return compileProjection(spec, { filter, ...(variables && { let: variables }) });
}

function limitOf(body: Document): { limit: number; single: boolean } {
  const limit = optionalNumber(body, 'limit') ?? 0;
  if (limit < 0) throw new MongoError('BadValue', `BSON field 'limit' value must be >= 0, actual value '${limit}'`);
  return { limit, single: flag(body, 'singleBatch') };
}

export const find: Command = {
  options: [
    'filter',
    'sort',
    'projection',
    'hint',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'let',
    'allowDiskUse',
    'noCursorTimeout',
    'allowPartialResults',
    'collation',
    'min',
    'max',
    'returnKey',
    'showRecordId',
    'tailable',
    'awaitData',
    'oplogReplay',
  ],
  transactional: true,
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    refuseSet(body, ['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'oplogReplay']);
    refuseCollation(body);
    flag(body, 'allowDiskUse');
    flag(body, 'allowPartialResults');
    const { limit, single } = limitOf(body);
    const skip = count(body, 'skip') ?? 0;
    const found = findSearch(context, body);
    const projection = projectionOf(body, found.filter);
    const effort = newEffort(context.deadline);
    let result = hits(context, found, effort);
    if (skip > 0 || limit > 0) result = slice(result, skip, limit);
    return firstBatch(context, ns, projected(result, projection), effort, {
      batchSize: count(body, 'batchSize'),
      singleBatch: single,
      noTimeout: flag(body, 'noCursorTimeout'),
    });
  },
};
