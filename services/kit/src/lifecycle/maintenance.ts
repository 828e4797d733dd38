import type { Connection } from 'mongoose';
import { withInterrupt } from '../async/time.js';
import { connectionOptions, migrateStreams } from '../bus/index.js';
import { readMigrationConfig } from '../config/config.js';
import { createLog, type Log } from '../telemetry/log.js';
import { connectMongo, createCollections, outboxModel } from '../mongo/index.js';

/** Options of a service's maintenance command. */
export interface MaintenanceOptions<M extends object> {
  /** Name of the service. */
  name: string;
  createModels: (connection: Connection) => M;
}

type Print = (line: string) => void;

const TIMEOUT_MS = 60_000;

/**
 * Runs the command `migrate`. Returns the exit code (0 success, 1 failure, 2 invalid arguments), or undefined for any
 * other command.
 */
export async function maintenanceCommand<M extends object>(
  [command, ...args]: string[],
  options: MaintenanceOptions<M>,
  print: Print = (line) => process.stdout.write(`${line}\n`),
): Promise<number | undefined> {
  if (command !== 'migrate') return undefined;
  if (args.length > 0) {
    print('Usage: migrate');
    return 2;
  }
  try {
    await migrate(options, print);
    return 0;
  } catch (error) {
    print((error as Error).message);
    return 1;
  }
}

/** Creates missing collections, indexes and streams, and raises streams to `NATS_REPLICAS` replicas. Idempotent. */
async function migrate<M extends object>(options: MaintenanceOptions<M>, print: Print): Promise<void> {
  const config = readMigrationConfig(options.name);
  const log = createLog(options.name);
  await prepareDatabase(options, config, log);
  print(`Every collection and index of ${config.MONGODB_DATABASE} exists.`);
  for (const { name, replicas } of await migrateStreams(connectionOptions(config, log), TIMEOUT_MS))
    print(`Stream ${name}: ${replicas === 1 ? '1 copy' : `${replicas} copies, all current`}.`);
}

/** Connects, creates collections and indexes, and disconnects. Throws if this takes longer than a minute. */
async function prepareDatabase<M extends object>(
  { name, createModels }: MaintenanceOptions<M>,
  { MONGODB_URI, MONGODB_DATABASE }: { MONGODB_URI: string; MONGODB_DATABASE: string },
  log: Log,
): Promise<void> {
  const mongo = connectMongo({
    uri: MONGODB_URI,
    database: MONGODB_DATABASE,
    name,
    log,
    prepare: () => createCollections({ ...models, outbox }),
  });
  const models = createModels(mongo.connection);
  const outbox = outboxModel(mongo.connection);
  try {
    await withInterrupt(mongo.whenReady, TIMEOUT_MS, () => void mongo.close());
    if (!mongo.ready())
      throw new Error(`MONGODB_URI: the database could not be prepared within ${TIMEOUT_MS / 1_000} s.`);
  } finally {
    await mongo.close();
  }
}
