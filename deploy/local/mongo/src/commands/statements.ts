import { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { bindVariables } from '../language/expression.js';
import type { Document } from '../language/values.js';
import { compileUpdate, type Update } from '../language/update.js';
import { newEffort, type Hit } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import type { Context } from './context.js';
import { documentField, optionalDocument } from './fields.js';
import { hintOf, hits, search, type SearchOptions } from './find.js';
import { checkSize, storable } from './storable.js';

/** What one statement of a write command is to find. */
export interface Target extends SearchOptions {
  ns: string;
  filter: Document;
}

interface UpdateStatement extends Target {
  update: Document | Document[];
  multi: boolean;
  upsert: boolean;
}

interface Updated {
  matched: number;
  modified: number;
  upsertedId?: unknown;
  /** States of the (one) document: null when there was none. */
  before: Doc | null;
  after: Doc | null;
}

/** Inserts one document, making the collection when it is missing; answers it as stored. May throw Blocked. */
export function insertOne(context: Context, ns: string, document: Document): Doc {
  const doc = storable(document);
  const collection = context.engine.store.findOrCreate(ns, context.unit);
  collection.insert(context.unit, doc);
  return doc;
}

/** What a statement, whose filter is in `field`, is to find in the collection of its command. */
export const targetOf = ({ ns, body }: Context, statement: Document, field: string): Target => ({
  ns,
  filter: documentField(statement, field),
  sort: optionalDocument(statement, 'sort'),
  hint: hintOf(statement),
  let: optionalDocument(body, 'let'),
});

/**
 * Prepares to update or replace the first document that matches (all of them when `multi`), or to upsert. What it answers
 * does it; when that throws Blocked it may be called again and goes on where it was.
 */
export function updater(context: Context, statement: UpdateStatement): () => Updated {
  const update = compileUpdate(statement.update, bindVariables(statement.let));
  if (statement.multi && update.kind === 'replacement')
    fail('FailedToParse', 'multi update is not supported for replacement-style update');
  const progress: Updated = { matched: 0, modified: 0, before: null, after: null };
  const forEach = eachTarget(context, statement, { multi: statement.multi, chosen: true });
  return () => {
    forEach((collection, hit) => {
      updateOne(context, collection, update, hit, progress);
      progress.matched += 1;
    });
    if (progress.matched === 0 && statement.upsert) upsert(context, statement, update, progress);
    return progress;
  };
}

/**
 * What calls back with the first document that matches, or with all; after a call back that throws Blocked it goes on with the
 * same document. With `chosen`, all are chosen before the first is changed, since a change may move a document within the
 * index that is read.
 */
function eachTarget(
  context: Context,
  target: Target,
  { multi, chosen }: { multi: boolean; chosen: boolean },
): (change: (collection: Collection, hit: Hit) => void) => void {
  let ids: string[] | undefined;
  let at = 0;
  return (change) => {
    const found = search(context, target.ns, target.filter, target);
    const { collection, filter } = found;
    if (!collection) return;
    const matches = hits(context, found, newEffort(context.deadline));
    if (!multi || !chosen) {
      for (const hit of matches) {
        context.checkBacklog();
        change(collection, hit);
        if (!multi) return;
      }
      return;
    }
    ids ??= Array.from(matches, ({ id }) => copyOf(id));
    for (; at < ids.length; at += 1) {
      context.checkBacklog();
      const doc = collection.read(context.reader, ids[at]!);
      if (doc && filter.matches(doc.decoded)) change(collection, { id: ids[at]!, doc });
    }
  };
}

/** A string that does not keep alive the longer one that it was cut from. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function updateOne(
  context: Context,
  collection: Collection,
  update: Update,
  { id, doc }: Hit,
  progress: Updated,
): void {
  const { doc: changed, modified } = update.apply(doc.decoded);
  const after = modified ? Doc.stored(changed) : doc;
  if (modified) {
    checkSize(after.raw);
    collection.update(context.unit, id, doc, after);
    progress.modified += 1;
  }
  progress.before = doc;
  progress.after = after;
}

function upsert(context: Context, { ns, filter }: UpdateStatement, update: Update, progress: Updated): void {
  const made = update.upsert(filter);
  const doc = insertOne(context, ns, made);
  progress.upsertedId = doc.decoded['_id'];
  progress.after = doc;
}

interface Deleted {
  deleted: number;
  /** The document deleted last. */
  before: Doc | null;
}

/** Prepares to delete the first document that matches, or all of them, as `updater` does. */
export function deleter(context: Context, target: Target, multi: boolean): () => Deleted {
  const progress: Deleted = { deleted: 0, before: null };
  const forEach = eachTarget(context, target, { multi, chosen: false });
  return () => {
    forEach((collection, { id, doc }) => {
      collection.remove(context.unit, id, doc);
      progress.deleted += 1;
      progress.before = doc;
    });
    return progress;
  };
}
