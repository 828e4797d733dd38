import { setTimeout as pause } from 'node:timers/promises';
import mongoose, { mongo, type Connection } from 'mongoose';
import { fail, type Fault } from '../errors.js';
import type { Log } from '../log.js';
import { isTracing } from '../telemetry.js';
import { traceCommands } from './command-spans.js';

export interface MongoOptions {
  uri: string;
  database: string;
  poolSize?: number;
  name: string;
  log: Log;
  /** Called when the connection to a writable server is established, lost and restored. */
  onChange?: (connected: boolean) => void;
  /** Makes collections and indexes; runs after the first connect and before the connection counts as ready. */
  prepare(connection: Connection): Promise<unknown>;
}

export interface Mongo {
  connection: Connection;
  /** Whether the database was reached and prepared; it can be away for a while afterwards. */
  ready: () => boolean;
  /** Whether a server that accepts writes is connected now. */
  connected: () => boolean;
  /** Resolves once ready, or closed. */
  whenReady: Promise<void>;
  close(): Promise<void>;
}

const SELECTION_TIMEOUT_MS = 2_000;
/** Longer than a healthy database takes to answer a ping, milliseconds. */
const PING_MS = 500;
const RETRY_MS = 300;
/** Repeated attempts with wrong credentials can lock a user out. */
const REFUSED_RETRY_MS = 5_000;

/** Connects, and tries again for ever: a database that is away never keeps a process from starting. */
export function connectMongo(options: MongoOptions): Mongo {
  const connection = mongoose.createConnection();
  let opened = false;
  let ready = false;
  let closed = false;
  const closing = new AbortController();
  let connected = false;
  let lost = false;
  const report = (now: boolean): void => {
    if (closed || now === connected) return;
    connected = now;
    options.onChange?.(now);
    if (!now) options.log.warn('the connection to MongoDB is lost');
    else if (lost) options.log.warn('the connection to MongoDB is restored');
    lost = !now;
  };
  const whenReady = (async () => {
    while (!closed) {
      try {
        // Once: from then on the driver reconnects by itself, and another opening would part sessions from their client.
        if (!opened) await open(connection, options);
        if (!opened) follow(connection, report);
        opened = true;
        // Closed meanwhile: what was opened since must not stay open.
        if (closed) return await connection.close();
        await options.prepare(connection);
        ready = true;
        return;
      } catch (error) {
        if (closed) return;
        const refusal = refusalOf(error);
        if (refusal) options.log.error({ err: error }, refusal);
        else options.log.warn({ err: error }, 'the database is away');
        await pause(refusal ? REFUSED_RETRY_MS : RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  })();
  return {
    connection,
    ready: () => ready,
    connected: () => connected,
    whenReady,
    close: async () => {
      closed = true;
      closing.abort();
      await connection.close();
    },
  };
}

/** Returns whether the database answers within half a second. */
export async function answersPing({ db }: Connection): Promise<boolean> {
  const silent = new AbortController();
  const timeout = pause(PING_MS, false, { signal: silent.signal }).catch(() => false);
  const answer = db?.command({ ping: 1 }).then(() => true, () => false); // prettier-ignore
  const answers = await Promise.race([answer ?? false, timeout]);
  silent.abort();
  return answers;
}

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;
/** Errors of the driver about the address itself. */
const unusable: ReadonlySet<string> = new Set(['MongoParseError', 'MongoInvalidArgumentError', 'MongoMissingCredentialsError']); // prettier-ignore

/** Returns what is wrong with MONGODB_URI, if that and not the server is why there is no connection. */
function refusalOf(error: unknown): string | undefined {
  const { name = '', code } = (error ?? {}) as MongoErrorShape;
  if (code === AUTHENTICATION_FAILED) return 'MONGODB_URI: MongoDB refused the credentials';
  if (code === UNAUTHORIZED) return 'MONGODB_URI: the user may not use the database';
  return unusable.has(name) ? 'MONGODB_URI cannot be used' : undefined;
}

async function open(connection: Connection, { uri, database, poolSize, name }: MongoOptions): Promise<void> {
  await connection.openUri(uri, {
    dbName: database,
    appName: name,
    maxPoolSize: poolSize ?? 50,
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: SELECTION_TIMEOUT_MS,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    retryWrites: true,
    w: 'majority',
    journal: true,
    monitorCommands: isTracing(),
  });
  if (isTracing()) traceCommands(connection.getClient());
}

/** Kinds of servers that accept writes: https://github.com/mongodb/specifications, server discovery and monitoring. */
const writable: ReadonlySet<string> = new Set(['RSPrimary', 'Mongos', 'Standalone', 'LoadBalancer']);

/** Reports whether the driver, which has connected, knows a server that accepts writes. */
function follow(connection: Connection, report: (connected: boolean) => void): void {
  report(true);
  connection.getClient().on('topologyDescriptionChanged', ({ newDescription }) => {
    report([...newDescription.servers.values()].some(({ type }) => writable.has(type)));
  });
}

const awayNames = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoExpiredSessionError',
  'MongoClientClosedError',
  'PoolClearedOnNetworkError',
]);
// Not primary, shutting down, stepped down: the codes that drivers retry on; and refused credentials, since no command gets through.
const awayCodes = new Set([6, 7, AUTHENTICATION_FAILED, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

interface MongoErrorShape {
  name?: string;
  code?: unknown;
  message?: string;
  errorResponse?: unknown;
  hasErrorLabel?(label: string): boolean;
}

/** Node's own codes for a socket that failed. */
const socketFailure = /^(EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_STREAM_\w+|ERR_SOCKET_CLOSED)$/;

/**
 * The cause of a failed command, as the driver names it. A bulk write that did not get through wraps it into an error of
 * its own, which says nothing; and when a socket fails under a large command, the driver passes Node's error on as it is.
 */
export function driverError(error: unknown): unknown {
  const { name, code, message = '', errorResponse } = (error ?? {}) as MongoErrorShape;
  if (typeof code === 'string' && socketFailure.test(code))
    return new mongo.MongoNetworkError(message, { cause: error as Error });
  return name === 'MongoBulkWriteError' && errorResponse instanceof Error ? errorResponse : error;
}

/** Whether an error says that the database is away, rather than that the operation was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { name = '', code, message = '' } = (driverError(error) ?? {}) as MongoErrorShape;
  if (awayNames.has(name) || (typeof code === 'number' && awayCodes.has(code))) return true;
  return name === 'MongooseError' && /initial connection|bufferCommands/.test(message);
}

/** Whether the server refuses writes because its disk is full (OutOfDiskSpace). It still answers reads. */
const isDiskFull = (error: unknown): boolean => (error as MongoErrorShape | undefined)?.code === 14031;

/** Whether an error is a duplicate key (E11000). */
export const isDuplicateKey = (error: unknown): boolean => (error as MongoErrorShape | undefined)?.code === 11000;

/** The fault that a database error stands for, if it is not a defect. */
export function explainMongo(error: unknown): Fault | undefined {
  if (isDatabaseAway(error)) return fail('SERVICE_UNAVAILABLE', 'The database is away; try again in a moment.');
  if (isDiskFull(error)) return fail('SERVICE_UNAVAILABLE', 'The database has no disk space left. Try again later.');
  const met = (driverError(error) ?? {}) as MongoErrorShape;
  const { name, code } = met;
  if (name === 'MongoOperationTimeoutError' || code === 50) return fail('TIMEOUT', 'The database took too long.');
  const contended = met.hasErrorLabel?.('TransientTransactionError') || code === 112;
  return contended ? fail('SERVICE_UNAVAILABLE', 'The change met others; try again.') : undefined;
}
