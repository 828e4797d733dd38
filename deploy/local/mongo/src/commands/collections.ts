import { Doc } from '../bson/doc.js';
import { MongoError } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
import { type Document } from '../language/values.js';
import { newEffort } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import { latest } from '../storage/record.js';
import { Blocked } from '../storage/unit.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import { checkedNs, type Context } from './context.js';
import { firstBatch } from './cursor-replies.js';
import { collectionOptions, unused } from './definitions.js';
import { count, flag, optionalDocument, refuseCollation, refuseSet, text } from './fields.js';

const notFound = (ns: string): MongoError => new MongoError('NamespaceNotFound', `ns not found ${ns}`);

/** The committed collection with this name. Error 26 when there is none. */
export function existing(context: Context, ns: string): Collection {
  const collection = context.engine.store.find(ns, context.view);
  if (!collection) throw notFound(ns);
  return collection;
}

const unsupportedKinds = [
  'capped',
  'size',
  'max',
  'timeseries',
  'expireAfterSeconds',
  'clusteredIndex',
  'changeStreamPreAndPostImages',
  'viewOn',
  'pipeline',
  'indexOptionDefaults',
  'storageEngine',
  'encryptedFields',
  'autoIndexId',
];

export const create: Command = {
  options: [...unsupportedKinds, 'validator', 'validationLevel', 'validationAction', 'collation', 'idIndex'],
  transactional: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    refuseSet(body, [...unsupportedKinds, 'idIndex']);
    refuseCollation(body);
    const options = collectionOptions(body);
    await context.unblocked(() => {
      const there = engine.store.find(ns, context.view);
      if (!there) {
        const made = engine.store.findOrCreate(ns, context.unit, options);
        engine.store.use(made, context.unit);
      } else if (JSON.stringify(there.options) !== JSON.stringify(options) || context.inTransaction)
        throw new MongoError('NamespaceExists', `Collection ${ns} already exists.`);
    });
    return ok();
  },
};

export const drop: Command = {
  options: [],
  write: true,
  async run(context: Context): Promise<Reply> {
    const { ns, engine } = context;
    const collection = engine.store.find(ns, latest);
    // As the server since version 7: dropping what is not there succeeds.
    if (!collection) return ok();
    const nIndexesWas = collection.indexes.length;
    await dropCollection(context, collection);
    return ok({ nIndexesWas, ns });
  },
};

async function dropCollection(context: Context, collection: Collection): Promise<void> {
  await unused(context, collection);
  await context.unblocked(() => {
    if (!collection.dropped) context.engine.store.drop(collection, context.unit);
  });
  context.engine.cursors.closeOn(collection.ns);
}

export const dropDatabase: Command = {
  options: [],
  write: true,
  async run(context: Context): Promise<Reply> {
    if (context.body['dropDatabase'] !== 1) throw new MongoError(5255100, "Have to pass 1 as 'drop' parameter");
    for (const collection of [...context.engine.store.catalog.byNs.values()]) {
      if (collection.db === context.db) await dropCollection(context, collection);
    }
    return ok({ dropped: context.db });
  },
};

export const renameCollection: Command = {
  options: ['to', 'dropTarget'],
  write: true,
  admin: true,
  async run(context: Context): Promise<Reply> {
    const { body, engine } = context;
    const [from, to] = [splitNs(text(body, 'renameCollection')), splitNs(text(body, 'to'))];
    const collection = existing(context, from);
    const target = engine.store.find(to, latest);
    if (from === to) throw new MongoError('IllegalOperation', "Can't rename a collection to itself");
    if (target && !flag(body, 'dropTarget')) throw new MongoError('NamespaceExists', 'target namespace exists');
    await unused(context, collection);
    if (target) await unused(context, target);
    await context.unblocked(() => {
      const pending = engine.store.catalog.byNs.get(to)?.creator;
      if (pending) throw new Blocked(pending);
      if (target) engine.store.drop(target, context.unit);
      engine.store.rename(collection, to, context.unit);
    });
    engine.cursors.closeOn(from);
    engine.cursors.closeOn(to);
    return ok();
  },
};

function splitNs(ns: string): string {
  const dot = ns.indexOf('.');
  return checkedNs(ns.slice(0, Math.max(0, dot)), dot < 0 ? '' : ns.slice(dot + 1));
}

const batchSizeOf = (body: Document): number | undefined => {
  const cursor = optionalDocument(body, 'cursor');
  return cursor && count(cursor, 'batchSize');
};

function described(collection: Collection): Document {
  return {
    name: collection.name,
    type: 'collection',
    options: collection.options,
    info: { readOnly: false, uuid: collection.uuid },
    idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
  };
}

export const listCollections: Command = {
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  read: true,
  run(context: Context): Reply {
    const { body, engine, db } = context;
    const filter = compileFilter(optionalDocument(body, 'filter') ?? {});
    const nameOnly = flag(body, 'nameOnly');
    const found = [...engine.store.catalog.byNs.values()]
      .filter((collection) => collection.db === db && collection.creator === null)
      .map(described)
      .filter((description) => filter.matches(description))
      .map(({ name, type, ...rest }) => Doc.of(nameOnly ? { name, type } : { name, type, ...rest }).raw);
    return firstBatch(context, `${db}.$cmd.listCollections`, found, newEffort(), { batchSize: batchSizeOf(body) });
  },
};

export const listIndexes: Command = {
  options: ['cursor', 'includeBuildUUIDs', 'includeIndexBuildInfo'],
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    refuseSet(body, ['includeBuildUUIDs', 'includeIndexBuildInfo']);
    const found = existing(context, ns).indexes.map(({ spec }) => Doc.of({ ...spec }).raw);
    return firstBatch(context, ns, found, newEffort(), { batchSize: batchSizeOf(body) });
  },
};

export const listDatabases: Command = {
  options: ['filter', 'nameOnly', 'authorizedDatabases'],
  read: true,
  admin: true,
  run({ body, engine }: Context): Reply {
    const filter = compileFilter(optionalDocument(body, 'filter') ?? {});
    const nameOnly = flag(body, 'nameOnly');
    const bytes = new Map<string, number>();
    for (const { db, bytes: size, creator } of engine.store.catalog.byNs.values()) {
      if (creator === null) bytes.set(db, (bytes.get(db) ?? 0) + size);
    }
    const all = Array.from(bytes, ([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: sizeOnDisk === 0 }));
    const found = all.filter((database) => filter.matches(database)).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (nameOnly) return ok({ databases: found.map(({ name }) => ({ name })) });
    const totalSize = found.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0);
    return ok({ databases: found, totalSize, totalSizeMb: Math.floor(totalSize / 1024 / 1024) });
  },
};

export const validate: Command = {
  options: ['full', 'background', 'metadata', 'repair'],
  run(context: Context): Reply {
    refuseSet(context.body, ['repair', 'metadata', 'background']);
    const collection = existing(context, context.ns);
    const errors: string[] = [];
    let nrecords = 0;
    for (let record = collection.first; record; record = record.next) {
      if (record.raw === null || record.writer) continue;
      nrecords += 1;
      for (const index of collection.indexes) {
        for (const key of index.keysForRaw(record.raw)) {
          const walk = index.tree.walk(key, `${key}\u0100`);
          let found = false;
          while (!found && walk.next()) found = walk.record === record;
          if (!found) errors.push(`a document has no entry in the index ${index.spec.name}`);
        }
      }
    }
    const keysPerIndex = Object.fromEntries(collection.indexes.map(({ spec, tree }) => [spec.name, tree.size]));
    return ok({
      ns: collection.ns,
      nInvalidDocuments: 0,
      nrecords,
      nIndexes: collection.indexes.length,
      keysPerIndex,
      valid: errors.length === 0,
      repaired: false,
      warnings: [],
      errors,
    });
  },
};

const indexBytes = (collection: Collection): number => collection.indexes.reduce((sum, { tree }) => sum + tree.size * 64, 0);

function statsOf(collection: Collection): Document {
  const { count: n, bytes } = collection;
  return { count: n, size: bytes, avgObjSize: n > 0 ? Math.floor(bytes / n) : 0, storageSize: bytes, nindexes: collection.indexes.length, totalIndexSize: indexBytes(collection), totalSize: bytes + indexBytes(collection) };
}

export const collStats: Command = {
  options: ['scale'],
  read: true,
  run(context: Context): Reply {
    refuseSet(context.body, ['scale']);
    const collection = context.engine.store.find(context.ns, latest);
    if (!collection) return ok({ ns: context.ns, size: 0, count: 0, storageSize: 0, totalSize: 0, nindexes: 0, totalIndexSize: 0, indexSizes: {}, scaleFactor: 1 });
    const indexSizes = Object.fromEntries(collection.indexes.map(({ spec, tree }) => [spec.name, tree.size * 64]));
    return ok({ ns: context.ns, ...statsOf(collection), indexSizes, scaleFactor: 1 });
  },
};

export const dbStats: Command = {
  options: ['scale', 'freeStorage'],
  read: true,
  run(context: Context): Reply {
    refuseSet(context.body, ['scale', 'freeStorage']);
    const all = [...context.engine.store.catalog.byNs.values()].filter(({ db, creator }) => db === context.db && creator === null);
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
