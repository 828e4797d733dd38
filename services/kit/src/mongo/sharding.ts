import type { Connection, Model } from 'mongoose';

/** The fields by which a collection is distributed over shards. Declared as the option `shardKey` of its schema. */
export type ShardKey = Record<string, 1 | 'hashed'>;

/** A collection that is sharded where the database is a sharded cluster. */
export interface ShardedCollection {
  collection: string;
  key: ShardKey;
}

/**
 * What a sharded cluster has of a collection: `sharded` by the declared key, `unsharded`, or sharded by another key, which
 * only `reshardCollection` changes.
 */
export interface ShardState extends ShardedCollection {
  state: 'sharded' | 'unsharded' | 'other key';
}

const NOT_SHARDED =
  'The database is not a sharded cluster. Set MONGODB_URI to the address of a mongos to show or apply shard keys.';

/** Returns the collections of some models that declare a shard key. */
export function shardedCollections(models: object): ShardedCollection[] {
  return (Object.values(models) as Model<unknown>[]).flatMap(({ schema, collection: { name } }) => {
    const key = schema.get('shardKey') as ShardKey | undefined;
    return key ? [{ collection: name, key }] : [];
  });
}

/** The commands of a sharded cluster that sharding needs. */
export interface ShardedCluster {
  /** Returns the shard key of a namespace (`database.collection`), or undefined if it is not sharded. */
  keyOf(namespace: string): Promise<ShardKey | undefined>;
  /** Shards a collection. Creates the index that the key needs. */
  shard(collection: string, key: ShardKey): Promise<void>;
}

/** Returns the sharded cluster that a connection leads to. Throws if it leads to a server that is no mongos. */
export async function shardedCluster(connection: Connection): Promise<ShardedCluster> {
  const database = connection.db!;
  const admin = connection.getClient().db('admin');
  const { msg } = await admin.command({ hello: 1 });
  if (msg !== 'isdbgrid') throw new Error(NOT_SHARDED);
  const collections = connection.getClient().db('config').collection<{ _id: string; key: ShardKey }>('collections');
  return {
    keyOf: async (namespace) => (await collections.findOne({ _id: namespace }))?.key,
    shard: async (collection, key) => {
      if (Object.values(key).includes('hashed')) await database.collection(collection).createIndex(key);
      await admin.command({ shardCollection: `${database.databaseName}.${collection}`, key });
    },
  };
}

/**
 * Returns how each collection is sharded. With `apply`, shards those that are not yet: it can be repeated, and never changes
 * a collection that is sharded by another key.
 */
export async function shardCollections(
  cluster: ShardedCluster,
  database: string,
  collections: ShardedCollection[],
  apply: boolean,
): Promise<ShardState[]> {
  const states: ShardState[] = [];
  for (const { collection, key } of collections) {
    const existing = await cluster.keyOf(`${database}.${collection}`);
    if (!existing && apply) await cluster.shard(collection, key);
    const actual = existing ?? (apply ? key : undefined);
    const isDeclared = JSON.stringify(actual) === JSON.stringify(key);
    states.push({ collection, key, state: isDeclared ? 'sharded' : actual ? 'other key' : 'unsharded' });
  }
  return states;
}
