import { MongoError } from '../language/errors.js';
import { equalValues } from '../language/compare.js';
import { isDocument, type Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import { latest } from '../storage/record.js';
import type { Reply } from '../wire/replies.js';
import { existing } from './collections.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { checkExpiry, collectionOptions, hasIndex, indexSpec, unused } from './definitions.js';
import { documents, flag, optionalDocument, optionalNumber, refuseSet } from './fields.js';

const maxIndexes = 64;

export const createIndexes: Command = {
  options: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
  transactional: true,
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    refuseSet(body, ['ignoreUnknownIndexOptions']);
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
      const note = missing.length === 0 ? { note: 'all indexes already exist' } : {};
      return ok({
        numIndexesBefore,
        numIndexesAfter: collection.indexes.length,
        createdCollectionAutomatically: made,
        ...note,
      });
    });
  },
};

/** The names of the indexes that `dropIndexes` means. Error 27 for one that is not there. */
function namesToDrop(collection: Collection, wanted: unknown): string[] {
  if (wanted === '*') return collection.indexes.slice(1).map(({ spec }) => spec.name);
  const names = Array.isArray(wanted) ? wanted : [wanted];
  return names.map((name) => {
    const index = collection.indexes.find(({ spec }) =>
      typeof name === 'string' ? spec.name === name : isDocument(name) && equalValues(spec.key, name),
    );
    if (!index)
      throw new MongoError(
        'IndexNotFound',
        typeof name === 'string' ? `index not found with name [${name}]` : "can't find index with key",
      );
    if (index.isId) throw new MongoError('InvalidOptions', 'cannot drop _id index');
    return index.spec.name;
  });
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
      for (const name of namesToDrop(collection, body['index'])) engine.store.dropIndex(collection, name, context.unit);
    });
    // A cursor may be walking over what is gone.
    engine.cursors.closeOn(ns);
    return ok({ nIndexesWas, ...(body['index'] === '*' && { msg: 'non-_id indexes dropped for collection' }) });
  },
};

const refusedInCollMod = [
  'changeStreamPreAndPostImages',
  'viewOn',
  'pipeline',
  'timeseries',
  'expireAfterSeconds',
  'cappedSize',
  'cappedMax',
  'dryRun',
  'prepareUnique',
];

export const collMod: Command = {
  options: [...refusedInCollMod, 'index', 'validator', 'validationLevel', 'validationAction'],
  write: true,
  async run(context: Context): Promise<Reply> {
    const { body, ns, engine } = context;
    refuseSet(body, refusedInCollMod);
    const collection = engine.store.find(ns, latest);
    if (!collection) throw new MongoError('NamespaceNotFound', `ns does not exist: ${ns}`);
    await unused(context, collection);
    const change = optionalDocument(body, 'index');
    return context.unblocked(() => {
      const changed = change ? changeIndex(context, collection, change) : {};
      const options = collectionOptions(body);
      if (Object.keys(options).length > 0)
        engine.store.setOptions(collection, { ...collection.options, ...options }, context.unit);
      return ok(changed);
    });
  },
};

const indexChanges = new Set(['name', 'keyPattern', 'expireAfterSeconds', 'hidden']);

function changeIndex(context: Context, collection: Collection, change: Document): Document {
  for (const key of Object.keys(change)) {
    if (indexChanges.has(key)) continue;
    if (change[key] === false) continue;
    if (key === 'unique' || key === 'prepareUnique')
      throw new MongoError(
        'CommandNotSupported',
        `the option 'index.${key}' of collMod is not supported by this engine`,
      );
    throw new MongoError(40415, `BSON field 'collMod.index.${key}' is an unknown field.`);
  }
  const [name, pattern] = [change['name'], optionalDocument(change, 'keyPattern')];
  const index = collection.indexes.find(({ spec }) => (pattern ? equalValues(spec.key, pattern) : spec.name === name));
  if (!index)
    throw new MongoError(
      'IndexNotFound',
      `cannot find index ${typeof name === 'string' ? name : ''} for ns ${collection.ns}`,
    );
  const { spec } = index;
  const seconds = optionalNumber(change, 'expireAfterSeconds');
  const hidden = change['hidden'] === undefined ? undefined : flag(change, 'hidden');
  if (seconds === undefined && hidden === undefined)
    throw new MongoError('InvalidOptions', 'no expireAfterSeconds, hidden, unique, or prepareUnique field');
  if (seconds !== undefined) checkExpiry(spec.key, seconds);
  if (hidden === true && index.isId) throw new MongoError('BadValue', "can't hide _id index");
  const { hidden: wasHidden, ...rest } = spec;
  const shown = hidden ?? wasHidden ?? false;
  const next = {
    ...rest,
    ...(seconds !== undefined && { expireAfterSeconds: seconds }),
    ...(shown && { hidden: true }),
  };
  context.engine.store.changeIndex(collection, next, context.unit);
  return {
    ...(seconds !== undefined && {
      ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds_old: spec.expireAfterSeconds }),
      expireAfterSeconds_new: seconds,
    }),
    ...(hidden !== undefined && { hidden_old: wasHidden ?? false, hidden_new: hidden }),
  };
}
