import { fail, MongoError } from '../language/errors.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { checkUnused } from './definitions.js';

const notFound = (ns: string): MongoError => new MongoError('NamespaceNotFound', `ns not found ${ns}`);

/** The committed collection with this name. Error 26 when there is none. */
export function existing(context: Context, ns: string): Collection {
  const collection = context.engine.store.find(ns, context.unit);
  if (!collection) throw notFound(ns);
  return collection;
}

export const create: Command = {
  options: [],
  transactional: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { ns, engine } = context;
    await context.unblocked(() => {
      const there = engine.store.find(ns, context.unit);
      if (!there) engine.store.findOrCreate(ns, context.unit);
      else if (context.inTransaction) fail('NamespaceExists', `Collection ${ns} already exists.`);
    });
    return ok();
  },
};

export const drop: Command = {
  options: [],
  write: true,
  async run(context: Context): Promise<Reply> {
    const { ns, engine } = context;
    const collection = engine.store.find(ns, engine.store.autocommit);
    // As the server since version 7: dropping what is not there succeeds.
    if (!collection) return ok();
    const nIndexesWas = collection.indexes.length;
    await dropCollection(context, collection);
    return ok({ nIndexesWas, ns });
  },
};

async function dropCollection(context: Context, collection: Collection): Promise<void> {
  await context.unblocked(() => {
    checkUnused(context, collection);
    if (!collection.dropped) context.engine.store.drop(collection);
  });
  context.engine.cursors.closeAll({ ns: collection.ns });
}

export const dropDatabase: Command = {
  options: [],
  write: true,
  async run(context: Context): Promise<Reply> {
    if (context.body['dropDatabase'] !== 1) fail(5255100, "Have to pass 1 as 'drop' parameter");
    for (const collection of [...context.engine.store.catalog.byNs.values()]) {
      if (collection.db === context.db) await dropCollection(context, collection);
    }
    return ok({ dropped: context.db });
  },
};
