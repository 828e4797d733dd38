import { access, constants } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { Broker } from './broker.js';
import { serveApi } from './jetstream/api.js';
import { JetStream } from './jetstream/jetstream.js';
import { createFolder, lockFolder } from '@tautan/append-log';
import { Router } from './routing/router.js';

export interface NatsOptions {
  /** Folder of streams and consumers. Created if it does not exist. */
  dataDir: string;
  /** TCP port. Default: 0, which chooses a free one. */
  port?: number;
  /** Address to listen on. Default: 127.0.0.1. There is no authentication, so keep it local. */
  host?: string;
  /**
   * Whether to repair corrupt files: each is copied, and its valid records are kept. Default: false. Without repair,
   * `startNats` rejects if a file is corrupt.
   */
  repair?: boolean;
  /** Receives a line for each client that the broker disconnects, and for similar events. */
  log?: (line: string) => void;
  /** Receives a line for each failure that no client sees, and for each loss of data found at start. Default: `log`. */
  warn?: (line: string) => void;
}

export interface NatsBroker {
  url: string;
  port: number;
  /** Flushes all data, closes all connections and releases the data folder. Then rejects if a write failed. */
  stop(): Promise<void>;
}

/** Defaults of nats-server. */
const limits = { maxPayload: 1024 * 1024, maxPending: 64 * 1024 * 1024, pingInterval: 120_000, maxPingsOut: 2 };

/**
 * Starts a broker that implements the NATS client protocol with JetStream. Rejects if the port is in use, or if the
 * data folder is unusable, corrupt, or in use by another process.
 */
export async function startNats(options: NatsOptions): Promise<NatsBroker> {
  const { dataDir, port = 0, host = '127.0.0.1', repair = false } = options;
  const { log = () => undefined, warn = log } = options;
  const unlock = await lock(dataDir);
  let jetStream: JetStream | undefined;
  try {
    const router = new Router();
    const report = (error: Error): void => warn(`jetstream: ${error.message}`);
    jetStream = await open(dataDir, router, report, repair);
    serveApi(jetStream, router, report);
    const broker = new Broker(router, limits, log);
    const bound = await broker.listen(port, host).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`port ${port} on ${host} cannot be used: ${explain(error)}`, { cause: error });
    });
    const opened = jetStream;
    const stop = async (): Promise<void> => {
      try {
        await opened.close();
      } finally {
        await broker.close();
        await unlock();
      }
    };
    let stopping: Promise<void> | undefined;
    return {
      url: `nats://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
      port: bound,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await jetStream?.close().catch(() => undefined);
    await unlock();
    throw error;
  }
}

async function lock(dataDir: string): Promise<() => Promise<void>> {
  try {
    createFolder(dataDir, 0o700);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await lockFolder(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Error(`the data folder ${dataDir} cannot be used: ${explain(error as Error)}`, { cause: error });
  }
}

async function open(
  dataDir: string,
  router: Router,
  report: (error: Error) => void,
  repair: boolean,
): Promise<JetStream> {
  try {
    return await JetStream.open(dataDir, router, report, repair);
  } catch (error) {
    throw new Error(`the data folder ${dataDir} cannot be read: ${explain(error as Error)}`, { cause: error });
  }
}

function explain(error: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTDIR: 'part of the path is a file',
    EEXIST: 'a file with this name exists',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk is read-only',
  };
  return known[error.code ?? ''] ?? error.message;
}
