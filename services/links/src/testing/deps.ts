import { createLog, Registry } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { Outbox } from '@tautan/kit/mongo';
import mongoose, { type Connection } from 'mongoose';
import { readLinksConfig } from '../config.js';
import { createDeps } from '../deps.js';
import { destinationRules } from '../links/domain/url.js';
import { createModels, type Models } from '../store/models.js';
import type { ApiDeps } from '../usecase-deps.js';

/** Dependencies with which a test calls use cases directly. They use the database and the broker of a test service. */
export interface OpenDeps {
  deps: ApiDeps;
  connection: Connection;
  models: Models;
  close(): Promise<void>;
}

/**
 * Creates dependencies with the settings of a test service. `overrides` replaces what a test controls, such as the
 * clock.
 */
export async function openDeps(settings: Record<string, string>, overrides: Partial<ApiDeps> = {}): Promise<OpenDeps> {
  const config = readLinksConfig(settings);
  const log = createLog('test', 'silent');
  const options = { dbName: config.MONGODB_DATABASE, monitorCommands: true, autoIndex: false };
  const connection = await mongoose.createConnection(config.MONGODB_URI, options).asPromise();
  const models = createModels(connection);
  const bus = new Bus({ url: config.NATS_URL, name: 'test', log });
  const outbox = new Outbox({ connection, bus, log, registry: new Registry() });
  const { BASE_URL, OWN_HOSTS } = config;
  const deps: ApiDeps = {
    ...createDeps({ config, models, connection, transact: outbox.transact, invalidate: () => {}, log }),
    rules: destinationRules(BASE_URL, OWN_HOSTS, false),
    lookUp: () => Promise.reject(new Error('DNS lookups are not expected')),
    ...overrides,
  };
  const close = async (): Promise<void> => {
    await outbox.stop();
    await bus.close();
    await connection.close();
  };
  return { deps, connection, models, close };
}
