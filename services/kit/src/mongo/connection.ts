import mongoose, { mongo, type Connection } from 'mongoose';
import { sleep, withTimeout } from '../async/time.js';
import { fail, isFault, type Fault } from '../errors.js';
import type { Log } from '../telemetry/log.js';
import { isTracing } from '../telemetry/telemetry.js';
import { patchDriver } from './driver-patches.js';
import { traceCommands } from './command-spans.js';

patchDriver();

export interface MongoOptions {
  uri: string;
  database: string;
  poolSize?: number;
  name: string;
  log: Log;
  /** Called whenever the connection to a writable server is established, lost or restored. */
  onChange?: (connected: boolean) => void;
  /** Creates collections and indexes after the first connect. The connection is ready once this succeeds. */
  prepare(connection: Connection): Promise<unknown>;
}

export interface Mongo {
  connection: Connection;
  /** Whether the database has been reached and prepared. It may be unavailable later. */
  ready: () => boolean;
  /** Whether a server that accepts writes is connected now. */
  connected: () => boolean;
  /** Resolves once ready, or closed. */
  whenReady: Promise<void>;
  close(): Promise<void>;
}

const SELECTION_TIMEOUT_MS = 2_000;
/** Timeout of a ping, milliseconds. */
const PING_MS = 500;
const RETRY_MS = 300;
/** Pause after rejected credentials or an invalid MONGODB_URI: repeated attempts can lock a user out. */
const REFUSED_RETRY_MS = 5_000;

/** Connects and retries indefinitely, so that an unavailable database never prevents startup. */
export function connectMongo(options: MongoOptions): Mongo {
  const connection = mongoose.createConnection();
  let opened = false;
  let ready = false;
  let closed = false;
  const closing = new AbortController();
  let connected = false;
  let lost = false;
  const report = (isConnected: boolean): void => {
    if (closed || isConnected === connected) return;
    connected = isConnected;
    options.onChange?.(isConnected);
    if (!isConnected) options.log.warn('the connection to MongoDB is lost');
    else if (lost) options.log.warn('the connection to MongoDB is restored');
    lost = !isConnected;
  };
  const whenReady = (async () => {
    while (!closed) {
      try {
        // Open only once: the driver reconnects automatically, and opening again would create a new client, for which
        // existing sessions are invalid.
        if (!opened) await open(connection, options);
        if (!opened) watchTopology(connection, report);
        opened = true;
        // Closed in the meantime. Close the new connection too.
        if (closed) return await connection.close();
        await options.prepare(connection);
        ready = true;
        return;
      } catch (error) {
        if (closed) return;
        const refusal = refusalOf(error);
        if (refusal) options.log.error({ err: error }, refusal);
        else options.log.warn({ err: error }, 'the database is unavailable');
        await sleep(refusal ? REFUSED_RETRY_MS : RETRY_MS, { signal: closing.signal }).catch(() => {});
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

/** Returns whether the database responds within half a second. */
export async function answersPing({ db }: Connection): Promise<boolean> {
  const ping = db?.command({ ping: 1 }).then(
    () => true,
    () => false,
  );
  return withTimeout(ping ?? Promise.resolve(false), PING_MS, () => false);
}

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;
/** Errors of the driver for an invalid connection string. */
const invalidUriErrors: ReadonlySet<string> = new Set([
  'MongoParseError',
  'MongoInvalidArgumentError',
  'MongoMissingCredentialsError',
]);

/** Returns the problem with MONGODB_URI if it caused the failure. */
function refusalOf(error: unknown): string | undefined {
  const { name = '', code } = (error ?? {}) as MongoErrorShape;
  if (code === AUTHENTICATION_FAILED) return 'MONGODB_URI: MongoDB refused the credentials';
  if (code === UNAUTHORIZED) return 'MONGODB_URI: the user has no permission to use the database';
  return invalidUriErrors.has(name) ? 'MONGODB_URI cannot be used' : undefined;
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

/** Reports now, and after each change of the topology, whether the driver knows a writable server. */
function watchTopology(connection: Connection, report: (connected: boolean) => void): void {
  report(true);
  connection.getClient().on('topologyDescriptionChanged', ({ newDescription }) => {
    report([...newDescription.servers.values()].some(({ type }) => writable.has(type)));
  });
}

const CONNECTED = mongoose.ConnectionStates.connected;
/** Returns the connections of this process, except mongoose's unused default one. */
const connections = (): Connection[] => mongoose.connections.slice(1);

const unavailableNames = new Set([
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
// The codes that drivers retry (unreachable, not primary, stepped down, shutting down), and rejected credentials.
const unavailableCodes = new Set([
  6,
  7,
  AUTHENTICATION_FAILED,
  89,
  91,
  189,
  262,
  9001,
  10107,
  11600,
  11602,
  13435,
  13436,
]);

interface MongoErrorShape {
  name?: string;
  code?: unknown;
  message?: string;
  errorResponse?: unknown;
  hasErrorLabel?(label: string): boolean;
}

/** Error codes of Node.js for failed sockets. */
const socketFailure = /^(EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_STREAM_\w+|ERR_SOCKET_CLOSED)$/;

/**
 * Returns the cause of a failed command as an error of the driver. A failed bulk write wraps its cause in an error
 * without details, and when a socket fails during a large command, the driver throws the error of Node.js.
 */
export function driverError(error: unknown): unknown {
  const { name, code, message = '', errorResponse } = (error ?? {}) as MongoErrorShape;
  if (typeof code === 'string' && socketFailure.test(code))
    return new mongo.MongoNetworkError(message, { cause: error as Error });
  return name === 'MongoBulkWriteError' && errorResponse instanceof Error ? errorResponse : error;
}

/** Returns whether an error means that the database is unavailable, not that the operation was invalid. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { name = '', code } = (driverError(error) ?? {}) as MongoErrorShape;
  if (unavailableNames.has(name) || (typeof code === 'number' && unavailableCodes.has(code))) return true;
  // Without `bufferCommands`, mongoose throws its base error for calls before the first connection.
  return name === 'MongooseError' && connections().some(({ readyState }) => readyState !== CONNECTED);
}

/** Returns whether the server refuses writes because its disk is full (OutOfDiskSpace). It still serves reads. */
const isDiskFull = (error: unknown): boolean => (error as MongoErrorShape | undefined)?.code === 14031;

/** Returns whether an error is a duplicate key error (E11000). */
export const isDuplicateKey = (error: unknown): boolean => (error as MongoErrorShape | undefined)?.code === 11000;

/** Returns whether an error of the driver has a label. */
export const hasLabel = (error: unknown, label: mongo.MongoErrorLabel): boolean =>
  (error as MongoErrorShape | undefined)?.hasErrorLabel?.(label) === true;

/** Returns the error itself if it is a fault, and otherwise the result of `explainMongo`. */
export const faultOf = (error: unknown): Fault | undefined => (isFault(error) ? error : explainMongo(error));

/**
 * Returns a fault with `message` if `faultOf` returns SERVICE_UNAVAILABLE or TIMEOUT for an error, and any other error
 * unchanged.
 */
export function withOutageMessage(error: unknown, message: string): unknown {
  const code = faultOf(error)?.code;
  return code === 'SERVICE_UNAVAILABLE' || code === 'TIMEOUT' ? fail(code, message) : error;
}

/**
 * Returns the fault for an error that means that the database is unavailable, full, too slow or contended; undefined
 * for any other error, such as a duplicate key or a defect. If the result of a commit is unknown, the message says that
 * a change may have been applied.
 */
export function explainMongo(error: unknown): Fault | undefined {
  // The database failed during a commit.
  if (hasLabel(error, mongo.MongoErrorLabel.UnknownTransactionCommitResult))
    return fail('SERVICE_UNAVAILABLE', 'The database is unavailable. A change may still have been applied.');
  if (isDatabaseUnavailable(error))
    return fail('SERVICE_UNAVAILABLE', 'The database is unavailable. Try again in a moment.');
  if (isDiskFull(error)) return fail('SERVICE_UNAVAILABLE', 'The database has no disk space left. Try again later.');
  const cause = (driverError(error) ?? {}) as MongoErrorShape;
  const { name, code } = cause;
  if (name === 'MongoOperationTimeoutError' || code === 50) return fail('TIMEOUT', 'The database timed out.');
  const contended = hasLabel(cause, mongo.MongoErrorLabel.TransientTransactionError) || code === 112;
  return contended ? fail('SERVICE_UNAVAILABLE', 'Too many concurrent changes. Try again.') : undefined;
}
