import type { Document } from '../language/values.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { latest, type DocRecord, type Version } from '../storage/record.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { refuseSet } from './fields.js';

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
  options: ['full', 'background', 'metadata', 'repair'],
  run(context: Context): Reply {
    refuseSet(context.body, ['repair', 'metadata', 'background']);
    const collection = existing(context, context.ns);
    const { ns, indexes } = collection;
    const errors = indexes.flatMap((index) => indexErrors(collection, index));
    return ok({
      ns,
      nInvalidDocuments: 0,
      nrecords: collection.count,
      nIndexes: indexes.length,
      keysPerIndex: Object.fromEntries(indexes.map(({ spec, tree }) => [spec.name, tree.size])),
      valid: errors.length === 0,
      repaired: false,
      warnings: [],
      errors,
    });
  },
};

const indexBytes = (collection: Collection): number =>
  collection.indexes.reduce((sum, { tree }) => sum + tree.size * 64, 0);

function statsOf(collection: Collection): Document {
  const { count: n, bytes } = collection;
  return {
    count: n,
    size: bytes,
    avgObjSize: n > 0 ? Math.floor(bytes / n) : 0,
    storageSize: bytes,
    nindexes: collection.indexes.length,
    totalIndexSize: indexBytes(collection),
    totalSize: bytes + indexBytes(collection),
  };
}

export const collStats: Command = {
  options: ['scale'],
  read: true,
  run(context: Context): Reply {
    refuseSet(context.body, ['scale']);
    const collection = context.engine.store.find(context.ns, latest);
    if (!collection)
      return ok({
        ns: context.ns,
        size: 0,
        count: 0,
        storageSize: 0,
        totalSize: 0,
        nindexes: 0,
        totalIndexSize: 0,
        indexSizes: {},
        scaleFactor: 1,
      });
    const indexSizes = Object.fromEntries(collection.indexes.map(({ spec, tree }) => [spec.name, tree.size * 64]));
    return ok({ ns: context.ns, ...statsOf(collection), indexSizes, scaleFactor: 1 });
  },
};

export const dbStats: Command = {
  options: ['scale', 'freeStorage'],
  read: true,
  run(context: Context): Reply {
    refuseSet(context.body, ['scale', 'freeStorage']);
    const all = [...context.engine.store.catalog.byNs.values()].filter(
      ({ db, creator }) => db === context.db && creator === null,
    );
    const sum = (of: (collection: Collection) => number): number => all.reduce((total, one) => total + of(one), 0);
    const [objects, dataSize] = [sum((one) => one.count), sum((one) => one.bytes)];
    return ok({
      db: context.db,
      collections: all.length,
      views: 0,
      objects,
      avgObjSize: objects > 0 ? dataSize / objects : 0,
      dataSize,
      storageSize: dataSize,
      indexes: sum((one) => one.indexes.length),
      indexSize: sum(indexBytes),
      totalSize: dataSize + sum(indexBytes),
      scaleFactor: 1,
    });
  },
};
