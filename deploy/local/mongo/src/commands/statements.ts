import { ObjectId } from 'bson';
import { Doc } from '../language/doc.js';
import { MAX_DOCUMENT_BYTES } from '../language/encode.js';
import { fail } from '../language/errors.js';
import { compileUpdate } from '../language/update.js';
import { isDocument, type Document } from '../language/values.js';
import { newQueryCost, type Hit } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import type { Context } from './context.js';
import { documentField, flag } from './fields.js';
import { hits, planSearch, searchOptions, type SearchOptions } from './find.js';

interface Target extends SearchOptions {
  ns: string;
  filter: Document;
  multi: boolean;
}

/** Returns the target of a statement whose filter is in `field`. */
export const targetOf = ({ ns }: Context, statement: Document, field: string, multi = false): Target => ({
  ns,
  filter: documentField(statement, field),
  multi,
  ...searchOptions(statement),
});

/**
 * Inserts a document, with a new `_id` if it has none. Creates the collection if it is missing. Returns the document as
 * stored. May throw Blocked.
 */
export function insertOne(context: Context, ns: string, document: Document): Doc {
  const { _id: id = new ObjectId() } = document;
  const hasDollarField = isDocument(id) && Object.keys(id).some((name) => name.startsWith('$'));
  if (Array.isArray(id) || hasDollarField)
    fail('InvalidIdField', "'_id' cannot be an array or have '$'-prefixed fields");
  const doc = stored(document['_id'] === undefined ? { ...document, _id: id } : document);
  context.engine.store.findOrCreate(ns, context.unit).insert(context.unit, doc);
  return doc;
}

function stored(document: Document): Doc {
  const doc = Doc.stored(document);
  const { length } = doc.raw;
  if (length > MAX_DOCUMENT_BYTES)
    fail('BSONObjectTooLarge', `object to insert too large. size in bytes: ${length}, max size: ${MAX_DOCUMENT_BYTES}`);
  return doc;
}

/** The result of a statement. `before` and `after` are versions of the last document that it matched or inserted. */
interface Outcome {
  matched: number;
  modified: number;
  upsertedId?: unknown;
  before: Doc | null;
  after: Doc | null;
}

/**
 * Compiles a statement whose update is in `field`, and which may have `upsert`. Returns a function that executes the
 * statement. If the function throws Blocked, call it again to continue.
 */
export function updater(context: Context, target: Target, statement: Document, field = 'u'): () => Outcome {
  const { [field]: given } = statement;
  if (!isDocument(given) && !Array.isArray(given))
    fail('FailedToParse', 'Update argument must be either an object or an array');
  const update = compileUpdate(given as Document | Document[]);
  if (target.multi && update.kind === 'replacement')
    fail('FailedToParse', 'multi update is not supported for replacement-style update');
  const isUpsert = flag(statement, 'upsert');
  const attempt = changer(context, target, (collection, { id, doc }) => {
    const { doc: changed, modified } = update.apply(doc.decoded);
    if (!modified) return doc;
    const after = stored(changed);
    collection.update(context.unit, id, doc, after);
    return after;
  });
  return () => {
    const outcome = attempt();
    if (outcome.matched > 0 || !isUpsert) return outcome;
    const after = insertOne(context, target.ns, update.upsert(target.filter));
    return { ...outcome, after, upsertedId: after.decoded['_id'] };
  };
}

/**
 * Returns a function that deletes the first match, or all matches if the target is `multi`. If the function throws
 * Blocked, call it again to continue.
 */
export const deleter = (context: Context, target: Target): (() => Outcome) =>
  changer(context, target, (collection, { id, doc }) => {
    collection.remove(context.unit, id, doc);
    return null;
  });

/**
 * Returns a function that applies `change` to the first match, or to all if the target is `multi`. All matches are
 * selected before the first change, because changes can move documents within the index that is being read.
 */
function changer(
  context: Context,
  target: Target,
  change: (collection: Collection, hit: Hit) => Doc | null,
): () => Outcome {
  const outcome: Outcome = { matched: 0, modified: 0, before: null, after: null };
  let ids: string[] | undefined;
  const apply = (collection: Collection, hit: Hit): Outcome => {
    const after = change(collection, hit);
    outcome.matched += 1;
    outcome.modified += Number(after !== hit.doc);
    return Object.assign(outcome, { before: hit.doc, after });
  };
  let at = 0;
  return () => {
    const search = planSearch(context, target.ns, target.filter, target);
    const { collection, filter } = search;
    if (!collection) return outcome;
    const matches = hits(context, search, newQueryCost(context.deadline));
    if (!target.multi) {
      for (const hit of matches) return apply(collection, hit);
      return outcome;
    }
    ids ??= Array.from(matches, ({ id }) => copyOf(id));
    for (; at < ids.length; at += 1) {
      context.checkBacklog();
      const doc = collection.read(context.reader, ids[at]!);
      if (doc && filter.matches(doc.decoded)) apply(collection, { id: ids[at]!, doc });
    }
    // Without a match, an upsert may follow. If another transaction blocks it by inserting a match, the next call must
    // search again.
    if (outcome.matched === 0) [ids, at] = [undefined, 0];
    return outcome;
  };
}

/** Copies a slice of a longer string, so that the longer string is not retained. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
