import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { checkExpiry, hasIndex, indexSpec, checkUnused } from './definitions.js';
import { checkKeys, documents, optionalDocument, optionalNumber, text } from './fields.js';

const maxIndexes = 64;

export const createIndexes: Command = {
  options: ['indexes'],
  transactional: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    const specs = documents(body, 'indexes').map(indexSpec);
    if (specs.length === 0) fail('BadValue', 'Must specify at least one index to create');
    const { reply, built } = await context.unblocked(() => {
      const made = !engine.store.find(ns, context.unit);
      const collection = engine.store.findOrCreate(ns, context.unit);
      checkUnused(context, collection);
      const numIndexesBefore = collection.indexes.length;
      const missing = specs.filter((spec) => !hasIndex(collection, spec));
      if (context.inTransaction && missing.length > 0 && collection.creator !== context.transaction)
        fail(
          'OperationNotSupportedInTransaction',
          `Cannot create new indexes on existing collection ${ns} in a multi-document transaction.`,
        );
      const numIndexesAfter = numIndexesBefore + missing.length;
      if (numIndexesAfter > maxIndexes) fail('CannotCreateIndex', `add index fails, too many indexes for ${ns}`);
      const note = missing.length === 0 && { note: 'all indexes already exist' };
      return {
        reply: ok({ numIndexesBefore, numIndexesAfter, createdCollectionAutomatically: made, ...note }),
        built: engine.store.addIndexes(collection, missing, context.unit),
      };
    });
    await built;
    return reply;
  },
};

/** The index with the name that a command gives. Error 27 when there is none. */
function namedIndex(collection: Collection, name: string): Collection['indexes'][number] {
  const index = collection.indexNamed(name);
  if (!index) fail('IndexNotFound', `index not found with name [${name}]`);
  return index;
}

export const dropIndexes: Command = {
  options: ['index'],
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    const collection = existing(context, ns);
    const nIndexesWas = collection.indexes.length;
    await context.unblocked(() => {
      checkUnused(context, collection);
      const index = namedIndex(collection, text(body, 'index'));
      if (index.isId) fail('InvalidOptions', 'cannot drop _id index');
      engine.store.dropIndex(collection, index.spec.name);
    });
    // A cursor may be walking over what is gone.
    engine.cursors.closeAll({ ns });
    return ok({ nIndexesWas });
  },
};

/** Changes when the documents of a TTL index expire. */
export const collMod: Command = {
  options: ['index'],
  write: true,
  async run(context: Context): Promise<Reply> {
    const collection = existing(context, context.ns);
    const change = optionalDocument(context.body, 'index');
    return context.unblocked(() => {
      checkUnused(context, collection);
      return ok(change ? changeExpiry(context, collection, change) : {});
    });
  },
};

/** The fields of `index`. */
export const indexChangeKeys = ['name', 'expireAfterSeconds'];

function changeExpiry({ engine, unit }: Context, collection: Collection, change: Document): Document {
  checkKeys(change, indexChangeKeys, 'collMod.index');
  const index = namedIndex(collection, text(change, 'name'));
  const { spec } = index;
  const seconds = optionalNumber(change, 'expireAfterSeconds');
  if (seconds === undefined) fail('InvalidOptions', 'no expireAfterSeconds field');
  checkExpiry(spec.key, seconds);
  index.spec = { ...spec, expireAfterSeconds: seconds };
  engine.store.catalog.store(unit, collection);
  return {
    ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds_old: spec.expireAfterSeconds }),
    expireAfterSeconds_new: seconds,
  };
}
