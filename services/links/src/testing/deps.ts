import { createLog, Registry, Turns } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { Outbox } from '@tautan/kit/mongo';
import mongoose, { type Connection } from 'mongoose';
import { domainRulesOf, readLinksConfig } from '../config.js';
import { destinationRules } from '../domain/url.js';
import { createStore } from '../store/index.js';
import { createModels, type Models } from '../store/models.js';
import { StatsStore } from '../store/stats.js';
import { ServedHosts } from '../usecases/served-hosts.js';
import type { ApiDeps } from '../usecases/deps.js';

/** What use cases work with, on the servers of a test service, without the service between. */
export interface OpenDeps {
  deps: ApiDeps;
  connection: Connection;
  models: Models;
  close(): Promise<void>;
}

/** Opens it with the settings of a test service; `own` replaces what a test wants to decide, such as the time. */
export async function openDeps(settings: Record<string, string>, own: Partial<ApiDeps> = {}): Promise<OpenDeps> {
  const config = readLinksConfig(settings);
  const log = createLog('test', 'silent');
  const options = { dbName: config.MONGODB_DATABASE, monitorCommands: true, autoIndex: false };
  const connection = await mongoose.createConnection(config.MONGODB_URI, options).asPromise();
  const models = createModels(connection);
  const bus = new Bus({ url: config.NATS_URL, name: 'test', log });
  const outbox = new Outbox({ connection, bus, log, registry: new Registry() });
  const store = createStore(models, connection);
  const deps: ApiDeps = {
    store,
    stats: new StatsStore(models),
    transact: outbox.transact,
    turns: new Turns(),
    rules: destinationRules(config.BASE_URL, config.OWN_HOSTS, false),
    servedHosts: new ServedHosts(store),
    domains: domainRulesOf(config),
    lookUp: () => Promise.reject(new Error('nothing is looked up here')),
    baseUrl: config.BASE_URL,
    invalidate: () => {},
    now: () => new Date(),
    log,
    ...own,
  };
  const close = async (): Promise<void> => {
    await outbox.stop();
    await bus.close();
    await connection.close();
  };
  return { deps, connection, models, close };
}
