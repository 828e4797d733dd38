import { access, constants, mkdir } from 'node:fs/promises';
import { Broker } from './broker.js';
import { serveApi } from './jetstream/api.js';
import { JetStream } from './jetstream/jetstream.js';
import { lockFolder } from '@tautan/append-log';
import { Router } from './routing/router.js';

export interface NatsOptions {
  /** Where streams and consumers live; created when missing. */
  dataDir: string;
  /** TCP port, 0 (the default) for a free one. */
  port?: number;
  /** Address to listen on, default 127.0.0.1. There is no authentication: keep it local. */
  host?: string;
  /** Opens damaged files too: each is copied aside, and everything whole in it is kept. Default false: they are refused. */
  repair?: boolean;
  /** Receives a line for each disconnected client and the like. */
  log?: (line: string) => void;
  /** Receives a line for each failure that no client sees, and for what was lost at the start; default `log`. */
  warn?: (line: string) => void;
}

export interface NatsBroker {
  url: string;
  port: number;
  /** Writes everything down, lets the clients go and gives the data folder back. */
  stop(): Promise<void>;
}

/** As nats-server has them by default. */
const limits = { maxPayload: 1024 * 1024, maxPending: 64 * 1024 * 1024, pingInterval: 120_000, maxPingsOut: 2 };

/**
 * Starts a broker that speaks the NATS client protocol with JetStream. Rejects with one plain sentence when the port is
 * busy, the data folder cannot be used or is damaged, or another process has it.
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
      await opened.close();
      await broker.close();
      await unlock();
    };
    let stopping: Promise<void> | undefined;
    return { url: `nats://${host}:${bound}`, port: bound, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await jetStream?.close().catch(() => undefined);
    await unlock();
    throw error;
  }
}

async function lock(dataDir: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
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
    EADDRINUSE: 'something else listens there',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a file is in the way',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk is read-only',
  };
  return known[error.code ?? ''] ?? error.message;
}
