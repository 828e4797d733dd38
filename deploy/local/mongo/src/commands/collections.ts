import { MongoError } from '../language/errors.js';
import type { Collection } from '../storage/collection.js';
import { latest } from '../storage/record.js';
import { Blocked } from '../storage/unit.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import { checkedNs, type Context } from './context.js';
import { collectionOptions, unused } from './definitions.js';
import { flag, refuseCollation, refuseSet, text } from './fields.js';

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
