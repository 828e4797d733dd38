import { MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { Engine } from '../engine.js';
import type { ScramExchange } from '../sessions/scram.js';
import type { Session } from '../sessions/session.js';
import { latest, type View } from '../storage/record.js';
import { Entry } from '../storage/log-batch.js';
import { Blocked, type Unit } from '../storage/unit.js';
import { timedOut } from '../query/execute.js';

const largeBatch = 4 * 1024 * 1024;

/** Whom a command comes from. */
export interface Client {
  readonly id: number;
  readonly address: string;
  /** As the driver's handshake gave it. */
  appName?: string;
  /** An authentication under way. */
  exchange?: ScramExchange;
  isAuthenticated?: boolean;
  /** Whether the connection is closed. */
  readonly closed: boolean;
}

/** One command while it runs: where it came from, what it reads and writes in. */
export class Context {
  session: Session | undefined;
  /** The number of a retryable write. */
  retryNumber: bigint | undefined;
  #unit: Unit | undefined;
  inTransaction = false;
  /** The command failed in a part of its work: its transaction must not go on. */
  failed = false;
  /** The client gets no answer but the end of its connection. */
  closeAfterwards = false;

  constructor(
    readonly engine: Engine,
    readonly client: Client,
    /** The command's name, as it stands first in the body. */
    readonly name: string,
    readonly body: Document,
    readonly db: string,
    /** Milliseconds since 1970; Infinity without `maxTimeMS`. */
    readonly deadline: number,
  ) {}

  /** What the command writes in: the transaction, or a unit that commits every write at once. */
  get unit(): Unit {
    this.#unit ??= this.engine.store.autocommit();
    return this.#unit;
  }

  enter(transaction: Unit): void {
    this.#unit = transaction;
    this.inTransaction = true;
  }

  failTransaction(): void {
    this.failed = true;
  }

  get view(): View {
    return this.inTransaction ? this.unit : latest;
  }

  /** The namespace that the command's first field names in its database. Error 73 when it is none. */
  get ns(): string {
    return this.nsOf(this.body[this.name]);
  }

  nsOf(collection: unknown): string {
    if (typeof collection !== 'string')
      throw new MongoError('InvalidNamespace', `collection name has invalid type ${typeof collection}`);
    return checkedNs(this.db, collection);
  }

  /**
   * Hands a large part of a command's writes to the log, so that no record of it grows without bound. Of a retryable write
   * only whole statements, with their outcomes noted: they are durable together.
   */
  flushLarge(): void {
    if (!this.inTransaction && this.unit.batch.bytes > largeBatch) void this.durable();
  }

  /** Resolves when everything that this command wrote is durable. */
  durable(): Promise<void> | undefined {
    if (!this.#unit || this.inTransaction) return undefined;
    if (this.retryNumber !== undefined) {
      for (const entry of this.session!.takeUnlogged()) this.#unit.batch.add(Entry.session, 0, entry);
    }
    return this.engine.store.flush(this.#unit);
  }

  /** Notes the outcome of a statement of a retryable write, which goes into the log in one record with the write itself. */
  noteStatement(stmtId: number, result: Document): void {
    if (this.retryNumber !== undefined) this.session!.record(stmtId, result);
  }

  /**
   * Does writes; outside of transactions it waits for a transaction that is in the way and tries again, in a transaction it
   * fails with WriteConflict at once. `attempt` must do nothing, or note how far it got, before it throws Blocked. What it
   * did is handed to the log before anybody else can run: the order of the log is the order of the writes.
   */
  async unblocked<T>(attempt: () => T): Promise<T> {
    for (;;) {
      let blocker: Unit;
      try {
        return attempt();
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (this.inTransaction || !error.blocker) throw writeConflict();
        ({ blocker } = error);
      } finally {
        void this.durable();
      }
      await endOf(blocker, this.deadline);
    }
  }
}

export const writeConflict = (): MongoError =>
  new MongoError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
  );

/** Waits until the transaction has ended; error 50 when the deadline comes first. */
export async function endOf({ ended }: Unit, deadline: number): Promise<void> {
  if (deadline === Infinity) return ended;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), Math.max(0, deadline - Date.now()));
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `db.collection`, checked as the server checks names. */
export function checkedNs(db: string, collection: string): string {
  const bad = collection === '' || collection.startsWith('.') || collection.endsWith('.') || /[\0$]/.test(collection);
  if (bad || `${db}.${collection}`.length > 255)
    throw new MongoError('InvalidNamespace', `Invalid namespace specified '${db}.${collection}'`);
  return `${db}.${collection}`;
}

const databaseName = /^[^\0/\\. "$*<>:|?]{1,63}$/;

export function checkedDb(db: unknown): string {
  if (typeof db === 'string' && databaseName.test(db)) return db;
  throw new MongoError('InvalidNamespace', `Invalid database name: '${String(db)}'`);
}
