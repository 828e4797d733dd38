import { MongoError } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
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
    if (specs.length === 0) throw new MongoError('BadValue', 'Must specify at least one index to create');
    const { reply, built } = await context.unblocked(() => {
      const made = !engine.store.find(ns, context.unit);
      const collection = engine.store.findOrCreate(ns, context.unit);
      checkUnused(context, collection);
      const numIndexesBefore = collection.indexes.length;
      const missing = specs.filter((spec) => !hasIndex(collection, spec));
      if (context.inTransaction && missing.length > 0 && collection.creator !== context.transaction)
        throw new MongoError(
          'OperationNotSupportedInTransaction',
          `Cannot create new indexes on existing collection ${ns} in a multi-document transaction.`,
        );
      const numIndexesAfter = numIndexesBefore + missing.length;
      if (numIndexesAfter > maxIndexes)
        throw new MongoError('CannotCreateIndex', `add index fails, too many indexes for ${ns}`);
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
  if (!index) throw new MongoError('IndexNotFound', `index not found with name [${name}]`);
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
      if (index.isId) throw new MongoError('InvalidOptions', 'cannot drop _id index');
      engine.store.dropIndex(collection, index.spec.name);
    });
    // A cursor may be walking over what is gone.
    engine.cursors.closeOn(ns);
    return ok({ nIndexesWas });
  },
};

/** Changes when the documents of a TTL index expire, or the validator of a collection. */
export const collMod: Command = {
  options: ['index', 'validator'],
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    const collection = existing(context, ns);
    const [change, validator] = [optionalDocument(body, 'index'), optionalDocument(body, 'validator')];
    if (validator) compileFilter(validator);
    return context.unblocked(() => {
      checkUnused(context, collection);
      const changed = change ? changeExpiry(context, collection, change) : {};
      if (validator) engine.store.setOptions(collection, { validator });
      return ok(changed);
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
  if (seconds === undefined) throw new MongoError('InvalidOptions', 'no expireAfterSeconds field');
  checkExpiry(spec.key, seconds);
  index.spec = { ...spec, expireAfterSeconds: seconds };
  engine.store.catalog.store(unit, collection);
  return {
    ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds_old: spec.expireAfterSeconds }),
    expireAfterSeconds_new: seconds,
  };
}
