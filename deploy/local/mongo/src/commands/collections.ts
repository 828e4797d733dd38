import { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
import type { Document } from '../language/values.js';
import { newQueryCost } from '../query/execute.js';
import type { Collection } from '../storage/collection.js';
import { ok, type CommandTable } from './command.js';
import type { Context } from './context.js';
import { batchSizeOf, firstBatch } from './cursors.js';
import { checkUnused } from './definitions.js';
import { documentField, flag } from './fields.js';

/** Returns the collection of a command. Throws NamespaceNotFound if it does not exist. */
export function existing({ engine, unit, ns }: Context): Collection {
  return engine.store.find(ns, unit) ?? fail('NamespaceNotFound', `ns not found ${ns}`);
}

async function dropCollection(context: Context, collection: Collection): Promise<void> {
  const { store, cursors } = context.engine;
  await context.executeWrites(() => {
    checkUnused(context, collection);
    if (!collection.dropped) store.drop(collection);
  });
  cursors.closeAll(({ ns }) => ns === collection.ns);
}

const committedCollections = ({ engine }: Context): Collection[] =>
  [...engine.store.catalog.byNs.values()].filter(({ creator }) => creator === undefined);

export const collectionCommands: CommandTable = {
  create: {
    transactional: true,
    write: true,
    async run(context) {
      const { ns, engine } = context;
      await context.executeWrites(() => {
        if (!engine.store.find(ns, context.unit)) engine.store.findOrCreate(ns, context.unit);
        else if (context.transaction) fail('NamespaceExists', `Collection ${ns} already exists.`);
      });
      return ok();
    },
  },

  drop: {
    write: true,
    async run(context) {
      const { ns, engine } = context;
      const collection = engine.store.find(ns, engine.store.autocommit);
      // Since server version 7, dropping a missing collection succeeds.
      if (!collection) return ok();
      const nIndexesWas = collection.indexes.length;
      await dropCollection(context, collection);
      return ok({ nIndexesWas, ns });
    },
  },

  dropDatabase: {
    write: true,
    async run(context) {
      if (context.body['dropDatabase'] !== 1) fail(5255100, "Have to pass 1 as 'drop' parameter");
      for (const collection of [...context.engine.store.catalog.byNs.values()])
        if (collection.db === context.db) await dropCollection(context, collection);
      return ok({ dropped: context.db });
    },
  },

  listCollections: {
    options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
    read: true,
    run(context) {
      const { body, db } = context;
      const filter = compileFilter(documentField(body, 'filter'));
      const type = 'collection';
      const found = committedCollections(context)
        .filter((collection) => collection.db === db)
        .map(({ name, uuid, idIndex }): Document => {
          return { name, type, options: {}, info: { readOnly: false, uuid }, idIndex: { ...idIndex.spec } };
        })
        .filter((description) => filter.matches(description))
        .map((description) => Doc.of(flag(body, 'nameOnly') ? { name: description['name'], type } : description).raw);
      const ns = `${db}.$cmd.listCollections`;
      return firstBatch(context, ns, found, newQueryCost(), { batchSize: batchSizeOf(body) });
    },
  },

  listIndexes: {
    options: ['cursor'],
    read: true,
    run(context) {
      const { body, ns } = context;
      const found = existing(context).indexes.map(({ spec }) => Doc.of({ ...spec }).raw);
      return firstBatch(context, ns, found, newQueryCost(), { batchSize: batchSizeOf(body) });
    },
  },

  listDatabases: {
    read: true,
    admin: true,
    run(context) {
      const names = new Set(committedCollections(context).map(({ db }) => db));
      return ok({ databases: [...names].sort().map((name) => ({ name, empty: false })) });
    },
  },
};
