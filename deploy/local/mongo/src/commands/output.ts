import { ObjectId } from 'bson';
import { Doc } from '../bson/doc.js';
import { toRaw } from '../bson/raw.js';
import type { Output } from '../language/aggregate.js';
import { compileFilter } from '../language/filter.js';
import { encode } from '../language/encode.js';
import { MongoError } from '../language/errors.js';
import { documentOf, isDocument, newDocument, type Document } from '../language/values.js';
import { newEffort, run } from '../query/execute.js';
import { planFor } from '../query/plan.js';
import type { Collection } from '../storage/collection.js';
import { latest } from '../storage/record.js';
import { checkedNs, type Context } from './context.js';
import { unused } from './definitions.js';
import { flag } from './fields.js';
import { storable } from './storable.js';
import { checkValid } from './validation.js';

const withId = (document: Document): Document =>
  document['_id'] === undefined ? documentOf({ _id: new ObjectId(), ...document }) : document;

/** Carries out `$out` or `$merge` on all results of a pipeline. */
export async function writeOutput(context: Context, output: Output, results: Iterable<Document>): Promise<void> {
  const ns = checkedNs(output.db ?? context.db, output.collection);
  const all = [...results];
  if (output.kind === 'out') return replaceCollection(context, ns, all);
  let at = 0;
  await context.unblocked(() => {
    for (; at < all.length; at += 1) mergeOne(context, ns, output, all[at]!);
  });
}

/** `$out`: the collection holds these documents and no others, its indexes stay. All of it happens at once. */
async function replaceCollection(context: Context, ns: string, documents: Document[]): Promise<void> {
  const { store } = context.engine;
  const docs = documents.map((document) => storable(toRaw(encode(withId(document)))));
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
        if (!flag(context.body, 'bypassDocumentValidation')) checkValid(collection, doc);
        collection.insert(transaction, doc);
      }
    } catch (error) {
      store.abort(transaction);
      throw error;
    }
    void store.commit(transaction);
  });
}

function mergeOne(context: Context, ns: string, output: Extract<Output, { kind: 'merge' }>, incoming: Document): void {
  const { store } = context.engine;
  const collection = store.findOrCreate(ns, context.unit);
  requireUnique(collection, output.on);
  const document = withId(incoming);
  const filter = newDocument();
  for (const path of output.on) filter[path] = documentOf({ $eq: valueAt(document, path) });
  const compiled = compileFilter(filter);
  const plan = planFor(collection, { filter: compiled, source: filter });
  const [hit] = run(collection, plan, context.view, newEffort(context.deadline));
  if (hit) {
    const combined = output.combine(hit.doc.decoded, document);
    if (combined) collection.update(context.unit, hit.record, Doc.of(combined));
    return;
  }
  if (output.whenNotMatched === 'fail')
    throw new MongoError(
      13113,
      '$merge could not find a matching document in the target collection for at least one document in the source collection',
    );
  if (output.whenNotMatched === 'insert') collection.insert(context.unit, storable(toRaw(encode(document))));
}

function requireUnique(collection: Collection, on: string[]): void {
  const wanted = [...on].sort().join('\0');
  const fits = collection.indexes.some(
    (index) => index.unique && !index.partial && Object.keys(index.spec.key).sort().join('\0') === wanted,
  );
  if (!fits) throw new MongoError(51183, 'Cannot find index to verify that join fields will be unique');
}

function valueAt(document: Document, path: string): unknown {
  let value: unknown = document;
  for (const segment of path.split('.')) value = isDocument(value) ? value[segment] : undefined;
  if (value === undefined || Array.isArray(value))
    throw new MongoError(
      51132,
      `$merge write error: 'on' field '${path}' cannot be missing, null, undefined or an array`,
    );
  return value;
}
