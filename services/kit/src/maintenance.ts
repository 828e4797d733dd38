import type { Connection } from 'mongoose';
import { connectionOptions, migrateStreams } from './bus/index.js';
import { readDatabaseConfig, readMigrationConfig } from './config.js';
import { createLog } from './log.js';
import { connectMongo, makeCollections, outboxModel, shardCollections, shardedCluster, shardedCollections } from './mongo/index.js'; // prettier-ignore
import type { ShardState } from './mongo/sharding.js';

/** What the maintenance commands of a service work on. */
export interface Maintained<M extends object> {
  /** Name of the service. */
  name: string;
  createModels: (connection: Connection) => M;
}

type Print = (line: string) => void;

const WITHIN_MS = 60_000;
const usage: Record<string, string> = {
  migrate: 'Usage: migrate',
  shard: 'Usage: shard [--apply]',
};

/**
 * Runs `migrate` or `shard` if that is the command. Returns the exit code (0 done, 1 failed or different, 2 wrong arguments),
 * or undefined for any other command.
 */
export async function maintenanceCommand<M extends object>(
  [command = '', ...args]: string[],
  maintained: Maintained<M>,
  print: Print = (line) => process.stdout.write(`${line}\n`),
): Promise<number | undefined> {
  if (!Object.hasOwn(usage, command)) return undefined;
  const apply = command === 'shard' && args.includes('--apply');
  if (args.length > (apply ? 1 : 0)) {
    print(usage[command]!);
    return 2;
  }
  try {
    return command === 'migrate' ? await migrate(maintained, print) : await shard(maintained, apply, print);
  } catch (error) {
    print((error as Error).message);
    return 1;
  }
}

/** Creates missing collections, indexes and streams, and raises streams to `NATS_REPLICAS` copies. Can be repeated. */
async function migrate<M extends object>(maintained: Maintained<M>, print: Print): Promise<number> {
  const config = readMigrationConfig(maintained.name);
  await withDatabase(maintained, config, () => Promise.resolve());
  print(`Every collection and index of ${config.MONGODB_DATABASE} exists.`);
  for (const { name, replicas } of await migrateStreams(connectionOptions(config), WITHIN_MS))
    print(`Stream ${name}: ${replicas === 1 ? '1 copy' : `${replicas} copies, all current`}.`);
  return 0;
}

/** Shows how the collections are sharded and, with `apply`, shards those that are not. */
async function shard<M extends object>(maintained: Maintained<M>, apply: boolean, print: Print): Promise<number> {
  const config = readDatabaseConfig(maintained.name);
  const states = await shardDatabase(maintained, config, apply);
  if (states.length === 0) print(`${config.MONGODB_DATABASE}: no collection is sharded.`);
  for (const { collection, key, state } of states)
    print(`${config.MONGODB_DATABASE}.${collection} ${JSON.stringify(key)}: ${state}`);
  return states.every(({ state }) => state === 'sharded') ? 0 : 1;
}

/** Returns how the collections of a service's database are sharded. With `apply`, shards those that are not yet. */
export function shardDatabase<M extends object>(
  maintained: Maintained<M>,
  config: { MONGODB_URI: string; MONGODB_DATABASE: string },
  apply: boolean,
): Promise<ShardState[]> {
  return withDatabase(maintained, config, async (connection, models) => {
    const cluster = await shardedCluster(connection);
    return shardCollections(cluster, config.MONGODB_DATABASE, shardedCollections(models), apply);
  });
}

/** Connects, makes collections and indexes, works, and disconnects. Throws if the database cannot be reached within a minute. */
async function withDatabase<M extends object, T>(
  { name, createModels }: Maintained<M>,
  { MONGODB_URI, MONGODB_DATABASE }: { MONGODB_URI: string; MONGODB_DATABASE: string },
  work: (connection: Connection, models: M) => Promise<T>,
): Promise<T> {
  const mongo = connectMongo({
    uri: MONGODB_URI,
    database: MONGODB_DATABASE,
    name,
    log: createLog(name),
    prepare: () => makeCollections({ ...models, outbox }),
  });
  const models = createModels(mongo.connection);
  const outbox = outboxModel(mongo.connection);
  const late = setTimeout(() => void mongo.close(), WITHIN_MS);
  try {
    await mongo.whenReady;
    if (!mongo.ready()) throw new Error(`MONGODB_URI: the database could not be prepared within ${WITHIN_MS / 1_000} s.`); // prettier-ignore
    return await work(mongo.connection, models);
  } finally {
    clearTimeout(late);
    await mongo.close();
  }
}
