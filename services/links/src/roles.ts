import type { Log, Registry } from '@tautan/kit';
import type { Bus } from '@tautan/kit/bus';
import type { Mongo, Outbox } from '@tautan/kit/mongo';
import type { RpcTable } from '@tautan/kit/rpc';
import type { LinksConfig } from './config.js';
import type { Models } from './store/models.js';

/** What main hands to a role that it starts. */
export interface RoleDeps {
  config: LinksConfig;
  models: Models;
  /** `mongo.connection` for sessions; `mongo.ready()` tells whether collections and indexes exist. */
  mongo: Mongo;
  bus: Bus;
  /** Of the roles that emit events; the redirect role alone has none. */
  outbox: Outbox | undefined;
  log: Log;
  registry: Registry;
}

/** A role that runs. */
export interface RunningRole {
  /** Whether traffic may come here. */
  ready?(): boolean;
  /** Tables that operators alone may call. */
  operators?: RpcTable[];
  /** Refuses new work, finishes what is under way, flushes. */
  stop(): Promise<void>;
}

/** The redirect role; `port` is where it listens. */
export interface RunningRedirects extends RunningRole {
  port: number;
}
