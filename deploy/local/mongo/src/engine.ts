import { setTimeout } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { dispatch } from './commands/dispatch.js';
import type { Client } from './commands/context.js';
import { FailPoints } from './commands/fail-points.js';
import { version } from './commands/server-commands.js';
import { MongoError } from './language/errors.js';
import type { Document } from './language/values.js';
import { Cursors } from './query/cursors.js';
import { ScramKeys, type Credentials } from './sessions/scram.js';
import { abort, SessionTable } from './sessions/session-table.js';
import { convert } from './storage/convert.js';
import { repair } from './storage/repair.js';
import { Store } from './storage/store.js';
import { TtlMonitor } from './ttl.js';
import type { Request } from './wire/messages.js';
import type { Reply } from './wire/replies.js';

/** Where one line of what happened goes. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

interface EngineOptions {
  sessions?: SessionTable;
  repair?: boolean | undefined;
  credentials?: Credentials | undefined;
}

/** Bounds how long a transaction outlives `transactionLifetimeLimitSeconds`. */
const sweepMs = 500;

/** Everything behind the sockets: the store, the sessions, the open cursors, and the work that is done by itself. */
export class Engine {
  readonly cursors = new Cursors();
  readonly failPoints = new FailPoints();
  readonly ttl: TtlMonitor;
  readonly identity = { address: '', processId: new ObjectId() };
  /** Of the user whose password clients must give. */
  readonly keys: ScramKeys | undefined;
  readonly #sweep: NodeJS.Timeout;
  readonly #stopping = new AbortController();

  private constructor(
    readonly store: Store,
    readonly sessions: SessionTable,
    private readonly log: Log,
    ttlSeconds: number,
    { credentials }: EngineOptions,
  ) {
    this.keys = credentials && new ScramKeys(credentials);
    store.events.onLoss = () => {
      sessions.reload(store);
      this.cursors.closeAll();
    };
    sessions.load(store);
    this.ttl = new TtlMonitor(store, log, ttlSeconds);
    this.#sweep = setInterval(() => this.#doSweep(), sweepMs).unref();
  }

  /** Opens the data folder. Rejects when it cannot be used. */
  static async open(
    dataDir: string,
    log: Log,
    ttlSeconds: number,
    { sessions = new SessionTable(), repair: repairs = false, ...options }: EngineOptions = {},
  ): Promise<Engine> {
    const tell = (message: string): void => log('warn', message);
    await convert(dataDir, repairs, tell);
    const store = await Store.open(dataDir, tell, repairs);
    if (repairs) await repair(store, dataDir, tell);
    return new Engine(store, sessions, log, ttlSeconds, options);
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  handle(client: Client, request: Request): Reply | Promise<Reply> {
    return dispatch(this, client, request);
  }

  endSession(lsid: unknown): void {
    this.sessions.end(lsid, this.store);
  }

  /** Aborts all open transactions and closes the sessions' cursors; their retryable writes stay known. */
  killAllSessions(): void {
    for (const session of this.sessions.all()) {
      abort(session, this.store);
      this.cursors.closeAll({ session });
    }
  }

  /** Resolves after so many milliseconds, or when the engine is about to stop. */
  async untilStopping(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** A failure that no command should have: it is logged, and the client learns that it was not its own. */
  unexpected(command: string, error: unknown): Document {
    this.log('error', 'a command failed unexpectedly', {
      command,
      error: error instanceof Error ? error.stack : String(error),
    });
    const { code, codeName, message } = new MongoError(
      'InternalError',
      error instanceof Error ? error.message : 'internal error',
    );
    return { ok: 0, errmsg: message, code, codeName };
  }

  status(): Document {
    return {
      host: this.identity.address,
      version,
      process: 'tautan-local-mongo',
      pid: process.pid,
      uptime: process.uptime(),
      localTime: new Date(),
      metrics: { cursor: { open: { total: this.cursors.size } } },
      storageEngine: { name: 'lmdb' },
    };
  }

  /** Ends what waits, so that connections can be closed. */
  beginStop(): void {
    this.#stopping.abort();
    clearInterval(this.#sweep);
    this.ttl.stop();
  }

  /** Aborts open transactions, flushes and closes the log. */
  async close(): Promise<void> {
    this.sessions.abortAll(this.store);
    await this.store.close();
  }

  #doSweep(): void {
    this.sessions.sweep(this.store);
    this.cursors.sweep();
  }
}
