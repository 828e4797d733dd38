import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ObjectId } from 'bson';
import type { Client } from './commands/context.js';
import { dispatch } from './commands/dispatch.js';
import { FailPoints } from './commands/fail-points.js';
import { fail, MongoError } from './language/errors.js';
import type { Document } from './language/values.js';
import { Cursors } from './query/cursors.js';
import { SessionTable } from './sessions/sessions.js';
import { repair } from './storage/repair.js';
import { Store } from './storage/store.js';
import { TtlMonitor } from './ttl.js';
import type { Request } from './wire/messages.js';

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

interface EngineOptions {
  /** Maximum lifetime of a transaction. */
  lifetimeSeconds?: number | undefined;
  repair?: boolean | undefined;
}

const TRANSACTION_LIFETIME_SECONDS = 60;
/**
 * Interval between checks for expired transactions and idle cursors. Transactions exceed their lifetime by at most this
 * time.
 */
const SWEEP_MS = 500;

/** The engine without its sockets: the store, sessions, cursors and background work. */
export class Engine {
  readonly cursors = new Cursors();
  readonly failPoints = new FailPoints();
  readonly ttl: TtlMonitor;
  readonly identity = { address: '', processId: new ObjectId() };
  readonly sessions: SessionTable;
  readonly #sweep: NodeJS.Timeout;
  readonly #stopping = new AbortController();

  private constructor(
    readonly store: Store,
    private readonly log: Log,
    ttlIntervalSeconds: number,
    { lifetimeSeconds = TRANSACTION_LIFETIME_SECONDS }: EngineOptions,
  ) {
    // Each idle client listens to this signal. Node.js before 22.13 warns about more than ten listeners.
    setMaxListeners(0, this.#stopping.signal);
    this.sessions = new SessionTable(store, lifetimeSeconds);
    store.onLoss = () => {
      this.sessions.reload();
      this.cursors.closeAll();
    };
    this.ttl = new TtlMonitor(store, log, ttlIntervalSeconds);
    this.#sweep = setInterval(() => {
      this.sessions.sweep();
      this.cursors.sweep();
    }, SWEEP_MS).unref();
  }

  /** Opens a data folder. Rejects if it cannot be used. */
  static async open(
    dataDir: string,
    log: Log,
    ttlIntervalSeconds: number,
    options: EngineOptions = {},
  ): Promise<Engine> {
    const report = (message: string): void => log('warn', message);
    const store = await Store.open(dataDir, report, options.repair);
    if (options.repair) await repair(store, report);
    return new Engine(store, log, ttlIntervalSeconds, options);
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  handle(client: Client, request: Request): Document | Promise<Document> {
    return dispatch(this, client, request);
  }

  /** Aborts all open transactions and closes the cursors of all sessions. */
  killAllSessions(): void {
    this.sessions.abortAll();
    this.cursors.closeAll(({ session }) => session !== undefined);
  }

  /** Resolves after `ms`, or when the engine stops. */
  async untilStopping(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Logs an unexpected error. Returns the reply for it. */
  internalError(command: string, thrown: unknown): Document {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.log('error', 'a command failed unexpectedly', { command, error: error.stack });
    return new MongoError('InternalError', error.message).reply;
  }

  /** Stops background work and ends the waits of `untilStopping`. */
  beginStop(): void {
    this.#stopping.abort();
    clearInterval(this.#sweep);
    this.ttl.stop();
  }

  /** Aborts open transactions, flushes and closes the store. */
  async close(): Promise<void> {
    this.sessions.abortAll();
    await this.store.close();
  }
}

/** Throws BadValue for an invalid `transactionLifetimeLimitSeconds`. */
export function checkLifetime(seconds = TRANSACTION_LIFETIME_SECONDS): void {
  if (Number.isInteger(seconds) && seconds >= 1) return;
  const value = `Invalid value for parameter transactionLifetimeLimitSeconds: ${seconds}`;
  fail('BadValue', `${value} is not a whole number greater than or equal to 1`);
}
