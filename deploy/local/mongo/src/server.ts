import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createFolder, lockFolder } from '@tautan/append-log';
import { checkLifetime, Engine, type Log } from './engine.js';
import { Connection } from './wire/connection.js';

export interface MongoOptions {
  /** The data folder, created if missing. Only one process at a time can use it. */
  dataDir: string;
  /** TCP port. 0, the default, selects a free one. */
  port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Interval between deletions of expired documents (TTL indexes). Default 5. */
  ttlIntervalSeconds?: number;
  /** Open transactions are aborted after this time, whether or not their client is connected. Default 60. */
  transactionLifetimeLimitSeconds?: number;
  /** Removes damaged records and rebuilds all indexes; keeps copies of damaged files. Default false. */
  repair?: boolean;
  log?: Log;
  /** Called when the disk fails; the engine then stops. */
  onFailure?: (error: Error) => void;
}

export interface Mongo {
  uri: string;
  port: number;
  /** Stops accepting connections, waits up to 2 s for commands in progress, flushes and closes. */
  stop(): Promise<void>;
}

const DRAIN_MS = 2000;
const TTL_INTERVAL_SECONDS = 5;

/** Starts an engine on a data folder. Rejects with a readable message if the port or the folder cannot be used. */
export async function startMongo(options: MongoOptions): Promise<Mongo> {
  const {
    dataDir,
    port = 0,
    host = '127.0.0.1',
    log = () => undefined,
    ttlIntervalSeconds = TTL_INTERVAL_SECONDS,
  } = options;
  const { repair, transactionLifetimeLimitSeconds: lifetimeSeconds } = options;
  checkLifetime(lifetimeSeconds);
  const release = await lock(dataDir);
  let engine: Engine | undefined;
  try {
    engine = await Engine.open(dataDir, log, ttlIntervalSeconds, { lifetimeSeconds, repair }).catch((error: Error) => {
      throw new Error(`the data folder ${dataDir} cannot be read: ${error.message}`, { cause: error });
    });
    const mongo = await serve(engine, host, port, release);
    engine.store.database.events.onFailure = (error) => {
      log('error', error.message);
      options.onFailure?.(error);
      // Changes that exist only in memory must no longer be served.
      mongo.stop().catch(() => undefined);
    };
    return mongo;
  } catch (error) {
    engine?.beginStop();
    await engine?.close().catch(() => undefined);
    await release();
    throw error;
  }
}

async function lock(dataDir: string): Promise<() => Promise<void>> {
  try {
    createFolder(dataDir);
    await access(dataDir, constants.W_OK);
    return await lockFolder(dataDir);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code ? new Error(`the data folder ${dataDir} cannot be used: ${message}`, { cause: error }) : error;
  }
}

async function serve(engine: Engine, host: string, wantedPort: number, release: () => Promise<void>): Promise<Mongo> {
  const connections = new Set<Connection>();
  let lastId = 0;
  const server = createServer((socket) => {
    const connection = new Connection((lastId += 1), socket, engine);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const port = await listen(server, host, wantedPort);
  engine.identity.address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    engine.beginStop();
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([...connections].map((connection) => connection.drain(DRAIN_MS)));
    await closed;
    await engine.close().finally(release);
  };
  return { uri: `mongodb://${engine.identity.address}`, port, stop: () => (stopped ??= stop()) };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isUsed = error.code === 'EADDRINUSE';
      const message = isUsed
        ? `port ${port} of ${host} is in use`
        : `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new Error(message, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
