import { ObjectId } from 'bson';
import { Doc } from '../bson/doc.js';
import type { Output } from '../language/aggregate.js';
import { documentOf, type Document } from '../language/values.js';
import { latest } from '../storage/record.js';
import type { Context } from './context.js';
import { unused } from './definitions.js';
import { hits, search } from './find.js';
import { newEffort } from '../query/execute.js';
import { checkValid, storable } from './storable.js';

const withId = (document: Document): Document =>
  document['_id'] === undefined ? documentOf({ _id: new ObjectId(), ...document }) : document;

/** Carries out `$out` or `$merge` on all results of a pipeline. */
export async function writeOutput(context: Context, output: Output, results: Iterable<Document>): Promise<void> {
  const ns = context.nsOf(output.collection);
  const all = [...results].map(withId);
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
  const old = store.find(ns, latest);
  if (old) await unused(context, old);
  await context.unblocked(() => {
    const transaction = store.begin();
    try {
      const collection = store.findOrCreate(ns, transaction);
      for (let record = collection.first; record; record = record.next) {
        if (record.raw !== null) collection.remove(transaction, record);
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
  const collection = context.engine.store.findOrCreate(ns, context.unit);
  const found = search(context, ns, documentOf({ _id: documentOf({ $eq: document['_id'] }) }));
  const [hit] = hits(context, found, newEffort(context.deadline));
  if (hit) collection.update(context.unit, hit.record, Doc.stored(output.combine(hit.doc.decoded, document)));
  else collection.insert(context.unit, storable(document));
}
