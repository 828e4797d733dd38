import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { Blocked } from '../storage/conflicts.js';
import { existing } from './collections.js';
import { ok, type CommandTable } from './command.js';
import type { Context } from './context.js';
import { checkExpiry, checkUnused, hasIndex, indexSpec } from './definitions.js';
import { checkKeys, documents, optionalDocument, optionalNumber, text } from './fields.js';

const MAX_INDEXES = 64;

export const indexChangeKeys = ['name', 'expireAfterSeconds'];

function namedIndex(collection: Collection, name: string): CollectionIndex {
  return collection.indexNamed(name) ?? fail('IndexNotFound', `index not found with name [${name}]`);
}

function changeExpiry({ engine, unit }: Context, collection: Collection, change: Document): Document {
  checkKeys(change, indexChangeKeys, 'collMod.index');
  const index = namedIndex(collection, text(change, 'name'));
  const { expireAfterSeconds: old } = index.spec;
  const seconds = optionalNumber(change, 'expireAfterSeconds') ?? fail('InvalidOptions', 'no expireAfterSeconds field');
  checkExpiry(index.spec.key, seconds);
  index.spec = { ...index.spec, expireAfterSeconds: seconds };
  engine.store.catalog.store(unit, collection);
  return { ...(old !== undefined && { expireAfterSeconds_old: old }), expireAfterSeconds_new: seconds };
}

export const indexCommands: CommandTable = {
  createIndexes: {
    options: ['indexes'],
    transactional: true,
    write: true,
    async run(context) {
      const { body, ns, engine, unit, transaction } = context;
      const specs = documents(body, 'indexes').map(indexSpec);
      if (specs.length === 0) fail('BadValue', 'Must specify at least one index to create');
      const { reply, built } = await context.executeWrites(() => {
        const createdCollectionAutomatically = !engine.store.find(ns, unit);
        const collection = engine.store.findOrCreate(ns, unit);
        // The indexes of a running build are not in `indexes` yet.
        if (collection.building) throw new Blocked(collection.building);
        const numIndexesBefore = collection.indexes.length;
        const missing = specs.filter((spec) => !hasIndex(collection, spec));
        if (missing.length > 0) checkUnused(context, collection);
        if (transaction && missing.length > 0 && collection.creator !== transaction)
          fail(
            'OperationNotSupportedInTransaction',
            `Cannot create indexes on the existing collection ${ns} in a transaction.`,
          );
        const numIndexesAfter = numIndexesBefore + missing.length;
        if (numIndexesAfter > MAX_INDEXES) fail('CannotCreateIndex', `add index fails, too many indexes for ${ns}`);
        const note = missing.length === 0 && { note: 'all indexes already exist' };
        return {
          reply: ok({ numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ...note }),
          built: engine.store.addIndexes(collection, missing, unit),
        };
      });
      await built;
      return reply;
    },
  },

  dropIndexes: {
    options: ['index'],
    write: true,
    async run(context) {
      const { body, ns, engine } = context;
      const collection = existing(context);
      const name = text(body, 'index');
      const nIndexesWas = collection.indexes.length;
      await context.executeWrites(() => {
        checkUnused(context, collection);
        const dropped = name === '*' ? collection.indexes.slice(1) : [namedIndex(collection, name)];
        for (const index of dropped) {
          if (index.isId) fail('InvalidOptions', 'cannot drop _id index');
          engine.store.dropIndex(collection, index);
        }
      });
      // A cursor may be reading the index.
      engine.cursors.closeAll((source) => source.ns === ns);
      return ok({ nIndexesWas, ...(name === '*' && { msg: 'non-_id indexes dropped for collection' }) });
    },
  },

  collMod: {
    options: ['index'],
    write: true,
    run(context) {
      const collection = existing(context);
      const change = optionalDocument(context.body, 'index');
      return context.executeWrites(() => {
        checkUnused(context, collection);
        return ok(change && changeExpiry(context, collection, change));
      });
    },
  },
};
