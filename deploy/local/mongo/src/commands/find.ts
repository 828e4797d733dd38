import { unsupported } from '../language/errors.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { mapped, slice } from '../language/pipeline.js';
import { compileProjection, type Projection } from '../language/project.js';
import { selectElements } from '../language/select-elements.js';
import { compileSort } from '../language/sort.js';
import type { Document } from '../language/values.js';
import { newQueryCost, run, type QueryCost, type Hit } from '../query/execute.js';
import { planFor, type IndexScan, type Plan } from '../query/plan.js';
import type { Collection } from '../storage/collection.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { firstBatch } from './cursors.js';
import { checkKeys, count, documentField, flag, optionalDocument } from './fields.js';

/** A planned query. */
export interface Search {
  /** Undefined if the collection does not exist. */
  collection: Collection | undefined;
  plan: Plan | undefined;
  filter: Filter;
  sort: Document | undefined;
}

export interface SearchOptions {
  sort?: Document | undefined;
  hint?: unknown;
}

/**
 * Compiles and plans a query. Throws for an invalid filter or sort, even if the collection does not exist, and for a
 * hint on a missing index of an existing collection.
 */
export function planSearch(context: Context, ns: string, source: Document, { sort, hint }: SearchOptions = {}): Search {
  const filter = compileFilter(source);
  if (sort) compileSort(sort);
  const { store } = context.engine;
  const collection = store.find(ns, context.unit);
  if (collection) store.use(collection, context.unit);
  return { collection, filter, plan: collection && planFor(collection, { filter, source, sort, hint }), sort };
}

/** Returns the documents that a search finds, in the order of its sort. For `project`, see `run`. */
export function hits(
  context: Context,
  { collection, plan, sort }: Search,
  cost: QueryCost,
  project?: (raw: Buffer) => Buffer,
): Iterable<Hit> {
  return collection && plan ? run(collection, plan, context.reader, cost, sort, project) : [];
}

/** Returns the sort and hint of a command or a statement, unless they are empty. */
export function searchOptions(body: Document): SearchOptions {
  const sort = optionalDocument(body, 'sort');
  const { hint } = body;
  const hasHint = typeof hint === 'string' || (typeof hint === 'object' && hint && Object.keys(hint).length > 0);
  return { sort: sort && Object.keys(sort).length > 0 ? sort : undefined, hint: hasHint ? hint : undefined };
}

/** Returns the projection in a field of a command, unless it is empty. */
export function projectionOf(body: Document, name: string): Projection | undefined {
  const spec = documentField(body, name);
  return Object.keys(spec).length > 0 ? compileProjection(spec) : undefined;
}

/**
 * Plans a `find` command. Returns the plan, the projected documents, and the cost, which grows as the documents are
 * read.
 */
function planFind(context: Context, body: Document): { search: Search; cost: QueryCost; documents: Iterable<Buffer> } {
  const includes = projectionOf(body, 'projection');
  const project = includes && ((raw: Buffer) => selectElements(raw, includes));
  const [skip, limit] = [count(body, 'skip') ?? 0, count(body, 'limit') || Infinity];
  const search = planSearch(context, context.nsOf(body['find']), documentField(body, 'filter'), searchOptions(body));
  const cost = newQueryCost(context.deadline);
  const found = hits(context, search, cost, project);
  const result = skip + limit < Infinity || skip > 0 ? slice(found, skip, limit) : found;
  return { search, cost, documents: mapped(result, ({ doc }) => (project ? project(doc.raw) : doc.raw)) };
}

export const find: Command = {
  options: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch', 'allowDiskUse'],
  transactional: true,
  read: true,
  run(context) {
    const { body, ns } = context;
    flag(body, 'allowDiskUse');
    const { documents, cost } = planFind(context, body);
    const options = { batchSize: count(body, 'batchSize'), singleBatch: flag(body, 'singleBatch') };
    return firstBatch(context, ns, documents, cost, options);
  },
};

const scanStage = ({ index, bounds, reverse }: IndexScan): Document => ({
  stage: 'IXSCAN',
  keyPattern: index.spec.key,
  indexName: index.spec.name,
  isMultiKey: index.multikey,
  isUnique: index.unique,
  isSparse: index.spec.sparse ?? false,
  isPartial: index.partial !== undefined,
  direction: reverse ? 'backward' : 'forward',
  ranges: bounds.ranges.length,
  equalities: bounds.equalities,
});

function stages({ plan, sort }: Search): Document {
  if (!plan) return { stage: 'EOF' };
  const inner = plan.isCollectionScan
    ? { stage: 'COLLSCAN', direction: 'forward' }
    : { stage: 'FETCH', inputStage: scanStages(plan, sort) };
  return !sort || plan.sorted ? inner : { stage: 'SORT', sortPattern: sort, inputStage: inner };
}

function scanStages({ scans, sorted }: Plan, sort: Document | undefined): Document {
  const [scan, ...others] = scans.map(scanStage);
  return others.length === 0 ? scan! : { stage: sorted && sort ? 'SORT_MERGE' : 'OR', inputStages: [scan, ...others] };
}

/** Replies with the plan of a `find` and, with the verbosity `executionStats`, with statistics of its execution. */
export const explain: Command = {
  options: ['verbosity'],
  read: true,
  run(context) {
    const command = documentField(context.body, 'explain');
    const [name] = Object.keys(command);
    if (name !== 'find') unsupported(`explain of '${name}'`);
    checkKeys(command, ['find', ...find.options!], 'explain');
    const { verbosity } = context.body;
    if (verbosity !== 'queryPlanner' && verbosity !== 'executionStats')
      unsupported(`the verbosity '${String(verbosity)}' of explain`);
    const { search, cost, documents } = planFind(context, command);
    const winningPlan = stages(search);
    const reply: Document = {
      explainVersion: '1',
      queryPlanner: { namespace: search.collection?.ns ?? '', winningPlan, rejectedPlans: [] },
      serverInfo: { host: context.engine.identity.address },
    };
    if (verbosity === 'executionStats') {
      const start = Date.now();
      let nReturned = 0;
      for (const _ of documents) nReturned += 1;
      reply['executionStats'] = {
        executionSuccess: true,
        nReturned,
        executionTimeMillis: Date.now() - start,
        totalKeysExamined: cost.keys,
        totalDocsExamined: cost.docs,
        executionStages: { ...winningPlan, nReturned },
      };
    }
    return ok(reply);
  },
};
