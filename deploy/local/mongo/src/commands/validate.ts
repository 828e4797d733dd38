import type { Collection } from '../storage/collection.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import type { Snapshot } from '../storage/snapshot.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';

/** How many entries an index has, and what is wrong with it. */
function checkIndex(
  reader: Snapshot,
  collection: Collection,
  index: CollectionIndex,
): { keys: number; errors: string[] } {
  const errors: string[] = [];
  const { name } = index.spec;
  let keys = 0;
  for (const { key, id } of index.walk(reader)) {
    keys += 1;
    const doc = collection.read(reader, id);
    if (!doc || (key !== undefined && !index.keysFor(doc).includes(key)))
      errors.push(`an entry of the index ${name} has no document`);
  }
  for (const { id } of collection.idIndex.walk(reader)) {
    for (const key of index.isId ? [] : index.keysFor(collection.read(reader, id)!)) {
      const record = index.recordKey(key, id);
      if (!reader.get(record)?.equals(index.recordValue(record, id)))
        errors.push(`a document has no entry in the index ${name}`);
    }
  }
  return { keys, errors };
}

/** `validate`: whether the indexes hold exactly what the documents say. */
export const validate: Command = {
  options: [],
  run(context: Context): Reply {
    const collection = existing(context, context.ns);
    const { ns, indexes, count } = collection;
    const checked = indexes.map((index) => ({
      ...checkIndex(context.reader, collection, index),
      name: index.spec.name,
    }));
    const errors = checked.flatMap((each) => each.errors);
    const nrecords = checked[0]!.keys;
    if (nrecords !== count) errors.push(`${nrecords} documents are counted as ${count}`);
    return ok({
      ns,
      nrecords,
      nIndexes: indexes.length,
      keysPerIndex: Object.fromEntries(checked.map(({ name, keys }) => [name, keys])),
      valid: errors.length === 0,
      errors,
    });
  },
};
