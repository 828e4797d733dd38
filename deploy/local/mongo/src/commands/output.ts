import { Doc } from '../language/doc.js';
import type { Output } from '../language/stages/output.js';
import type { Document } from '../language/values.js';
import type { Context } from './context.js';
import { checkUnused } from './definitions.js';
import { checkValid, storable } from './storable.js';

/** Carries out `$out` or `$merge` on all results of a pipeline. */
export async function writeOutput(context: Context, output: Output, results: Iterable<Document>): Promise<void> {
  const ns = context.nsOf(output.collection);
  const all = [...results];
  if (output.stage === '$out') return replaceCollection(context, ns, all);
  let at = 0;
  await context.unblocked(() => {
    for (; at < all.length; at += 1) mergeOne(context, ns, output, all[at]!);
  });
}

/** `$out`: the collection holds these documents and no others, its indexes stay. All of it happens at once. */
async function replaceCollection(context: Context, ns: string, documents: Document[]): Promise<void> {
  const { store } = context.engine;
  const docs = documents.map(storable);
  await context.unblocked(() => {
    const old = store.find(ns, store.autocommit);
    if (old) checkUnused(context, old);
    const transaction = store.begin();
    try {
      const collection = store.findOrCreate(ns, transaction);
      for (const { id } of collection.idIndex.walk(transaction.reader)) {
        collection.remove(transaction, id, collection.read(transaction.reader, id)!);
      }
      for (const doc of docs) {
        checkValid(collection, doc);
        collection.insert(transaction, doc);
      }
    } catch (error) {
      store.abort(transaction);
      throw error;
    }
    void store.commit(transaction);
  });
}

/** `$merge`: stores one result in place of the document with its `_id`, or as a new one. */
function mergeOne(context: Context, ns: string, output: Output, document: Document): void {
  const { unit } = context;
  const collection = context.engine.store.findOrCreate(ns, unit);
  const id = document['_id'] === undefined ? undefined : collection.idOf(document['_id']);
  const there = id === undefined ? undefined : collection.read(unit.reader, id);
  if (id !== undefined && there)
    collection.update(unit, id, there, Doc.stored(output.combine(there.decoded, document)));
  else collection.insert(unit, storable(document));
}
