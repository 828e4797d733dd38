import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import type { DocRecord, Version } from '../storage/record.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';

/** What is wrong with an index: documents without their entries, and entries without their documents. */
function indexErrors({ first }: Collection, index: CollectionIndex): string[] {
  const errors: string[] = [];
  const wanted = new Map<DocRecord, Set<string>>();
  for (let record = first; record; record = record.next) {
    const keys = new Set<string>();
    for (let state: Version | null = record; state; state = state.older) {
      for (const key of index.keysForRaw(state.raw)) keys.add(key);
    }
    wanted.set(record, keys);
  }
  const walk = index.tree.walk('', '\u0100');
  while (walk.next()) {
    if (!wanted.get(walk.record)?.delete(walk.key))
      errors.push(`an entry of the index ${index.spec.name} has no document`);
  }
  for (const keys of wanted.values()) {
    if (keys.size > 0) errors.push(`a document has no entry in the index ${index.spec.name}`);
  }
  return errors;
}

/** `validate`: whether the indexes hold exactly what the documents say. */
export const validate: Command = {
  options: [],
  run(context: Context): Reply {
    const collection = existing(context, context.ns);
    const { ns, indexes } = collection;
    const errors = indexes.flatMap((index) => indexErrors(collection, index));
    return ok({
      ns,
      nrecords: collection.count,
      nIndexes: indexes.length,
      keysPerIndex: Object.fromEntries(indexes.map(({ spec, tree }) => [spec.name, tree.size])),
      valid: errors.length === 0,
      errors,
    });
  },
};
