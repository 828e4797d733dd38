import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import type { Snapshot } from '../storage/snapshot.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';

function checkIndex(reader: Snapshot, collection: Collection, index: CollectionIndex, errors: string[]): number {
  const { name } = index.spec;
  let keys = 0;
  for (const { key, id } of index.walk(reader)) {
    keys += 1;
    const doc = collection.read(reader, id);
    if (!doc || (key !== undefined && !index.keysFor(doc).includes(key)))
      errors.push(`an entry of the index ${name} has no document with its key`);
  }
  if (index.isId) return keys;
  for (const { id } of collection.idIndex.walk(reader)) {
    for (const key of index.keysFor(collection.read(reader, id)!)) {
      const record = index.recordKey(key, id);
      if (!reader.get(record)?.equals(index.recordValue(record, id)))
        errors.push(`a document has no entry in the index ${name}`);
    }
  }
  return keys;
}

export const validate: Command = {
  run(context) {
    const collection = existing(context);
    const { ns, indexes, count } = collection;
    const errors: string[] = [];
    const keysPerIndex = Object.fromEntries(
      indexes.map((index) => [index.spec.name, checkIndex(context.reader, collection, index, errors)]),
    );
    const nrecords = keysPerIndex['_id_']!;
    if (nrecords !== count) errors.push(`the collection has ${nrecords} documents, but its counter is ${count}`);
    return ok({ ns, nrecords, nIndexes: indexes.length, keysPerIndex, valid: errors.length === 0, errors });
  },
};
