import { Doc } from '../bson/doc.js';
import { MongoError } from '../language/errors.js';
import { bindVariables } from '../language/expression.js';
import type { Document } from '../language/values.js';
import { compileUpdate, type Update } from '../language/update.js';
import { newEffort, type Hit } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import type { DocRecord } from '../storage/record.js';
import type { Context } from './context.js';
import { hits, search } from './find.js';
import { checkSize, checkValid, storable } from './storable.js';

/** What one statement of a write command is to find. */
export interface Target {
  ns: string;
  filter: Document;
  sort?: Document | undefined;
  hint?: unknown;
  let?: Document | undefined;
}

export interface UpdateStatement extends Target {
  update: Document | Document[];
  multi: boolean;
  upsert: boolean;
  arrayFilters?: Document[] | undefined;
  bypass: boolean;
}

export interface Updated {
  matched: number;
  modified: number;
  upsertedId?: unknown;
  /** States of the (one) document: null when there was none. */
  before: Doc | null;
  after: Doc | null;
}

/** Inserts one document, making the collection when it is missing; answers it as stored. May throw Blocked. */
export function insertOne(context: Context, ns: string, document: Document, bypass: boolean): Doc {
  const doc = storable(document);
  const collection = context.engine.store.findOrCreate(ns, context.unit);
  if (!bypass) checkValid(collection, doc);
  collection.insert(context.unit, doc);
  return doc;
}

const options = ({ sort, hint, let: variables }: Target): { sort?: Document; hint?: unknown; let?: Document } => ({
  ...(sort && { sort }),
  ...(hint !== undefined && { hint }),
  ...(variables && { let: variables }),
});

/**
 * Prepares to update or replace the first document that matches (all of them when `multi`), or to upsert. What it answers
 * does it; when that throws Blocked it may be called again and goes on where it was.
 */
export function updater(context: Context, statement: UpdateStatement): () => Updated {
  const update = compileUpdate(statement.update, {
    ...(statement.arrayFilters && { arrayFilters: statement.arrayFilters }),
    variables: bindVariables(statement.let),
  });
  if (statement.multi && update.kind === 'replacement')
    throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  const progress: Updated = { matched: 0, modified: 0, before: null, after: null };
  const done = new Set<DocRecord>();
  return () => updateAttempt(context, statement, update, progress, done);
}

function updateAttempt(
  context: Context,
  statement: UpdateStatement,
  update: Update,
  progress: Updated,
  done: Set<DocRecord>,
): Updated {
  const found = search(context, statement.ns, statement.filter, options(statement));
  if (statement.upsert) context.engine.store.findOrCreate(statement.ns, context.unit);
  const matches = hits(context, found, newEffort(context.deadline));
  for (const hit of statement.multi ? [...matches] : first(matches)) {
    if (done.has(hit.record)) continue;
    updateOne(context, found.collection!, update, hit, statement.bypass, progress);
    progress.matched += 1;
    done.add(hit.record);
  }
  if (progress.matched === 0 && statement.upsert) upsert(context, statement, update, progress);
  return progress;
}

function updateOne(
  context: Context,
  collection: Collection,
  update: Update,
  { record, doc }: Hit,
  bypass: boolean,
  progress: Updated,
): void {
  const { doc: changed, modified } = update.apply(doc.decoded);
  const after = modified ? Doc.stored(changed) : doc;
  if (modified) {
    checkSize(after.raw);
    if (!bypass) checkValid(collection, after);
    collection.update(context.unit, record, after);
    if (context.retryNumber === undefined) context.flushLarge();
    progress.modified += 1;
  }
  progress.before = doc;
  progress.after = after;
}

function upsert(context: Context, { ns, filter, bypass }: UpdateStatement, update: Update, progress: Updated): void {
  const made = update.upsert(filter);
  const doc = insertOne(context, ns, made, bypass);
  progress.upsertedId = doc.decoded['_id'];
  progress.after = doc;
}

export interface Deleted {
  deleted: number;
  /** The document deleted last. */
  before: Doc | null;
}

/** Prepares to delete the first document that matches, or all of them, as `updater` does. */
export function deleter(context: Context, target: Target, multi: boolean): () => Deleted {
  const progress: Deleted = { deleted: 0, before: null };
  return () => {
    const found = search(context, target.ns, target.filter, options(target));
    const matches = hits(context, found, newEffort(context.deadline));
    for (const { record, doc } of multi ? [...matches] : first(matches)) {
      found.collection!.remove(context.unit, record);
      if (context.retryNumber === undefined) context.flushLarge();
      progress.deleted += 1;
      progress.before = doc;
    }
    return progress;
  };
}

function* first(matches: Iterable<Hit>): Iterable<Hit> {
  for (const hit of matches) {
    yield hit;
    return;
  }
}
