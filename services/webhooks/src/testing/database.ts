import { startServers } from '@tautan/kit/testing';
import mongoose, { type ConnectOptions } from 'mongoose';
import { createModels, prepareCollections } from '../store/models.js';

/** Starts a database with the collections and indexes of the service, for tests of its parts without the service. */
export async function startDatabase(options: ConnectOptions = {}) {
  const servers = await startServers();
  const connection = await mongoose
    .createConnection(servers.mongodbUri, { dbName: servers.database, autoIndex: false, ...options })
    .asPromise();
  const models = createModels(connection);
  await prepareCollections(models, 30);
  return {
    connection,
    models,
    stop: async (): Promise<void> => {
      await connection.close();
      await servers.stop();
    },
  };
}
