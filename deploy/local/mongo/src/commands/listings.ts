import { Doc } from '../language/doc.js';
import { compileFilter } from '../language/filter.js';
import type { Document } from '../language/values.js';
import { newEffort } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { batchSizeOf, firstBatch } from './cursor-replies.js';
import { flag, optionalDocument } from './fields.js';

function described(collection: Collection): Document {
  return {
    name: collection.name,
    type: 'collection',
    options: {},
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
      .filter((collection) => collection.db === db && collection.creator === undefined)
      .map(described)
      .filter((description) => filter.matches(description))
      .map(({ name, type, ...rest }) => Doc.of(nameOnly ? { name, type } : { name, type, ...rest }).raw);
    return firstBatch(context, `${db}.$cmd.listCollections`, found, newEffort(), { batchSize: batchSizeOf(body) });
  },
};

export const listIndexes: Command = {
  options: ['cursor'],
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    const found = existing(context, ns).indexes.map(({ spec }) => Doc.of({ ...spec }).raw);
    return firstBatch(context, ns, found, newEffort(), { batchSize: batchSizeOf(body) });
  },
};

export const listDatabases: Command = {
  options: [],
  read: true,
  admin: true,
  run({ engine }: Context): Reply {
    const bytes = new Map<string, number>();
    for (const { db, bytes: size, creator } of engine.store.catalog.byNs.values()) {
      if (creator === undefined) bytes.set(db, (bytes.get(db) ?? 0) + size);
    }
    const databases = Array.from(bytes, ([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: sizeOnDisk === 0 }));
    databases.sort((a, b) => (a.name < b.name ? -1 : 1));
    const totalSize = databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0);
    return ok({ databases, totalSize, totalSizeMb: Math.floor(totalSize / 1024 / 1024) });
  },
};
