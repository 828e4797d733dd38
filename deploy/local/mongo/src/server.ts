import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Engine, type Log } from './engine.js';
import { lockFolder } from './lock.js';
import type { Credentials } from './sessions/scram.js';
import { SessionTable } from './sessions/session-table.js';
import { Connection } from './wire/connection.js';

export interface MongoOptions {
  /** The folder that holds the data; made when it is missing. One process at a time may have it. */
  dataDir: string;
  /** TCP port; 0, the default, takes a free one. */
  port?: number;
  /** Address to listen on; only this machine by default. */
  host?: string;
  /** Seconds between two looks for documents that have expired (TTL indexes). */
  ttlSeconds?: number;
  /** Seconds until an open transaction is aborted, whether or not its client is still connected. Whole, 60 by default. */
  transactionLifetimeLimitSeconds?: number;
  /** Removes damaged records and builds all indexes anew; a copy of the file is kept. Default false. */
  repair?: boolean;
  /** Makes clients authenticate with this password (SCRAM-SHA-256, authentication database `admin`). */
  credentials?: Credentials | undefined;
  log?: Log;
  /** Called when the disk fails: nothing can be acknowledged any more, and the engine stops by itself. */
  onFailure?: (error: Error) => void;
}

export interface Mongo {
  uri: string;
  port: number;
  /** Stops taking commands, lets those under way finish, flushes and closes. */
  stop(): Promise<void>;
}

const drainMs = 2000;
const defaultTtlSeconds = 5;

/**
 * Starts an engine on a data folder. Rejects with one plain sentence when the port is busy, the folder cannot be read or
 * belongs to another process.
 */
export async function startMongo(options: MongoOptions): Promise<Mongo> {
  const { dataDir, port = 0, host = '127.0.0.1', log = () => undefined, ttlSeconds = defaultTtlSeconds } = options;
  const sessions = new SessionTable(options.transactionLifetimeLimitSeconds);
  const release = await claim(dataDir);
  let engine: Engine | undefined;
  try {
    engine = await openEngine(dataDir, log, ttlSeconds, {
      sessions,
      repair: options.repair,
      credentials: options.credentials,
    });
    const mongo = await serve(engine, host, port, release);
    engine.store.events.onFailure = (error) => {
      log('error', error.message);
      options.onFailure?.(error);
      // What is in memory only must not be served any further.
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

async function claim(dataDir: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dataDir, { recursive: true });
    return await lockFolder(dataDir);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code ? new Error(`the data folder ${dataDir} cannot be used: ${message}`, { cause: error }) : error;
  }
}

async function openEngine(...[dataDir, ...options]: Parameters<typeof Engine.open>): Promise<Engine> {
  try {
    return await Engine.open(dataDir, ...options);
  } catch (error) {
    throw new Error(`the data folder ${dataDir} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function serve(engine: Engine, host: string, wanted: number, release: () => Promise<void>): Promise<Mongo> {
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection((nextId += 1), socket, engine);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  let nextId = 0;
  const port = await listen(server, host, wanted);
  engine.identity.address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    engine.beginStop();
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([...connections].map((connection) => connection.drain(drainMs)));
    await closed;
    await engine.close().finally(release);
  };
  return { uri: `mongodb://${engine.identity.address}`, port, stop: () => (stopped ??= stop()) };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = error.code === 'EADDRINUSE';
      reject(
        new Error(busy ? `port ${port} of ${host} is in use` : `cannot listen on ${host}:${port}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
