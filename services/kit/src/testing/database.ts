import type { Connection } from 'mongoose';
import { startServers } from './servers.js';

export interface TestDatabase<M> {
  /** Reports its commands (`commandStarted`). */
  connection: Connection;
  models: M;
  stop(): Promise<void>;
}

/** Starts a database with the collections and indexes of a service, for tests of its parts without the service. */
export async function startDatabase<M>(
  createModels: (connection: Connection) => M,
  prepareCollections: (models: M) => Promise<void>,
): Promise<TestDatabase<M>> {
  // Imported here, because most suites that use other helpers of this folder do not need it.
  const { default: mongoose } = await import('mongoose');
  const servers = await startServers();
  const connection = await mongoose
    .createConnection(servers.mongodbUri, { dbName: servers.database, monitorCommands: true, autoIndex: false })
    .asPromise();
  const models = createModels(connection);
  await prepareCollections(models);
  return {
    connection,
    models,
    stop: async () => {
      await connection.close();
      await servers.stop();
    },
  };
}
