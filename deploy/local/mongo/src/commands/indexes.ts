import { MongoError } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
import type { Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { checkExpiry, hasIndex, indexSpec, unused } from './definitions.js';
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
    const there = engine.store.find(ns, context.view);
    if (there) await unused(context, there);
    return context.unblocked(() => {
      const made = !engine.store.find(ns, context.view);
      const collection = engine.store.findOrCreate(ns, context.unit);
      const numIndexesBefore = collection.indexes.length;
      const missing = specs.filter((spec) => !hasIndex(collection, spec));
      if (context.inTransaction && missing.length > 0 && collection.creator !== context.unit)
        throw new MongoError(
          'OperationNotSupportedInTransaction',
          `Cannot create new indexes on existing collection ${ns} in a multi-document transaction.`,
        );
      if (numIndexesBefore + missing.length > maxIndexes)
        throw new MongoError('CannotCreateIndex', `add index fails, too many indexes for ${ns}`);
      for (const spec of missing) engine.store.addIndex(collection, spec, context.unit);
      return ok({
        numIndexesBefore,
        numIndexesAfter: collection.indexes.length,
        createdCollectionAutomatically: made,
        ...(missing.length === 0 && { note: 'all indexes already exist' }),
      });
    });
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
    await unused(context, collection);
    const nIndexesWas = collection.indexes.length;
    await context.unblocked(() => {
      const index = namedIndex(collection, text(body, 'index'));
      if (index.isId) throw new MongoError('InvalidOptions', 'cannot drop _id index');
      engine.store.dropIndex(collection, index.spec.name, context.unit);
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
    await unused(context, collection);
    const [change, validator] = [optionalDocument(body, 'index'), optionalDocument(body, 'validator')];
    if (validator) compileFilter(validator);
    return context.unblocked(() => {
      const changed = change ? changeExpiry(context, collection, change) : {};
      if (validator) engine.store.setOptions(collection, { validator }, context.unit);
      return ok(changed);
    });
  },
};

/** The fields of `index`. */
export const indexChangeKeys = ['name', 'expireAfterSeconds'];

function changeExpiry({ engine, unit }: Context, collection: Collection, change: Document): Document {
  checkKeys(change, indexChangeKeys, 'collMod.index');
  const { spec } = namedIndex(collection, text(change, 'name'));
  const seconds = optionalNumber(change, 'expireAfterSeconds');
  if (seconds === undefined) throw new MongoError('InvalidOptions', 'no expireAfterSeconds field');
  checkExpiry(spec.key, seconds);
  engine.store.changeIndex(collection, { ...spec, expireAfterSeconds: seconds }, unit);
  return {
    ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds_old: spec.expireAfterSeconds }),
    expireAfterSeconds_new: seconds,
  };
}
