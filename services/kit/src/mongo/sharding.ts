import type { Connection, Model } from 'mongoose';
import { fail } from '../errors.js';

/** The fields by which a collection is distributed over shards. Declared as the option `shardKey` of its schema. */
export type ShardKey = Record<string, 1 | 'hashed'>;

/** A collection to shard if the database is a sharded cluster. */
export interface ShardedCollection {
  collection: string;
  key: ShardKey;
}

/**
 * State of a collection in a sharded cluster: `sharded` by the declared key, `unsharded`, or sharded by an `other key`,
 * which only the command `reshardCollection` can change.
 */
export interface ShardState extends ShardedCollection {
  state: 'sharded' | 'unsharded' | 'other key';
}

const NOT_SHARDED =
  'The database is not a sharded cluster. Set MONGODB_URI to the address of a mongos to show or apply shard keys.';

/** Returns the collections of the models that declare a shard key. */
export function shardedCollections(models: object): ShardedCollection[] {
  return (Object.values(models) as Model<unknown>[]).flatMap(({ schema, collection: { name } }) => {
    const key = schema.get('shardKey') as ShardKey | undefined;
    return key ? [{ collection: name, key }] : [];
  });
}

/** Metadata of a collection in a sharded cluster (https://www.mongodb.com/docs/manual/reference/config-database/). */
interface ConfiguredCollection {
  /** `database.collection` */
  _id: string;
  key: ShardKey;
  /** The cluster tracks the collection although it is not sharded (MongoDB 8.0 and later). */
  unsplittable?: boolean;
}

/**
 * Returns how each of these collections in a connection's database is sharded. With `apply`, first shards those that
 * are unsharded. This is idempotent, and never changes a collection that is sharded by another key. Throws
 * VALIDATION_ERROR if the server is not a mongos, and FORBIDDEN if the user is not authorized to shard.
 */
export async function shardCollections(
  connection: Connection,
  collections: ShardedCollection[],
  apply: boolean,
): Promise<ShardState[]> {
  const admin = connection.getClient().db('admin');
  const { msg } = await admin.command({ hello: 1 });
  if (msg !== 'isdbgrid') throw fail('VALIDATION_ERROR', NOT_SHARDED, 'MONGODB_URI');
  const database = connection.db!;
  const configured = connection.getClient().db('config').collection<ConfiguredCollection>('collections');
  // Required by MongoDB before 6.0. Repeating it has no effect.
  if (apply && collections.length > 0)
    await explainUnauthorized(admin.command({ enableSharding: database.databaseName }));
  const states: ShardState[] = [];
  for (const { collection, key } of collections) {
    const namespace = `${database.databaseName}.${collection}`;
    const found = await explainUnauthorized(configured.findOne({ _id: namespace, unsplittable: { $ne: true } }));
    if (!found && apply) {
      if (Object.values(key).includes('hashed')) await database.collection(collection).createIndex(key);
      await explainUnauthorized(admin.command({ shardCollection: namespace, key }));
    }
    const actual = found?.key ?? (apply ? key : undefined);
    const isDeclared = JSON.stringify(actual) === JSON.stringify(key);
    states.push({ collection, key, state: isDeclared ? 'sharded' : actual ? 'other key' : 'unsharded' });
  }
  return states;
}

const UNAUTHORIZED = 13;

function explainUnauthorized<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: { code?: unknown; message?: string }) => {
    if (error.code !== UNAUTHORIZED) throw error;
    throw fail('FORBIDDEN', `The user of MONGODB_URI needs the role clusterManager: ${error.message}.`);
  });
}
