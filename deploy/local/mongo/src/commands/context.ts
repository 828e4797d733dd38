import { fail, MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { Engine } from '../engine.js';
import type { ScramExchange } from '../sessions/scram.js';
import type { Session } from '../sessions/session.js';
import type { Snapshot } from '../storage/snapshot.js';
import { Blocked } from '../storage/conflicts.js';
import type { Transaction, Unit } from '../storage/unit.js';
import { timedOut } from '../query/execute.js';

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
  #transaction: Transaction | undefined;
  #writes = false;
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

  /** What the command reads and writes in. */
  get unit(): Unit {
    return this.#transaction ?? this.engine.store.autocommit;
  }

  get transaction(): Transaction | undefined {
    return this.#transaction;
  }

  get inTransaction(): boolean {
    return this.#transaction !== undefined;
  }

  enter(transaction: Transaction): void {
    this.#transaction = transaction;
  }

  get reader(): Snapshot {
    return this.unit.reader;
  }

  /** The namespace that the command's first field names in its database. Error 73 when it is none. */
  get ns(): string {
    return this.nsOf(this.body[this.name]);
  }

  nsOf(collection: unknown): string {
    if (typeof collection !== 'string')
      fail('InvalidNamespace', `collection name has invalid type ${typeof collection}`);
    return checkedNs(this.db, collection);
  }

  /** Throws Blocked while too many changes wait for the disk. Of a retryable write only between statements. */
  checkBacklog(): void {
    if (!this.inTransaction) this.engine.store.checkBacklog();
  }

  /** Resolves when everything that this command wrote is durable. */
  durable(): Promise<void> | undefined {
    if (!this.#writes || this.inTransaction) return undefined;
    const { session, engine } = this;
    if (this.retryNumber !== undefined && session!.isChanged)
      engine.store.autocommit.put(session!.storageKey, session!.stored());
    return engine.store.durable();
  }

  /** The outcome of a statement of a retryable write that was executed before. */
  outcomeOf(stmtId: number): Document | undefined {
    return this.retryNumber === undefined ? undefined : this.session!.resultOf(stmtId);
  }

  /** Notes the outcome of a statement of a retryable write, which is stored together with the write itself. */
  recordStatement(stmtId: number, result: Document): void {
    if (this.retryNumber !== undefined) this.session!.record(stmtId, result);
  }

  /**
   * Does writes; outside of transactions it waits for a transaction that is in the way and tries again, in a transaction it
   * fails with WriteConflict at once. `attempt` must do nothing, or note how far it got, before it throws Blocked. What it
   * did is handed to the file together with its outcome, before anybody else can run.
   */
  async unblocked<T>(attempt: () => T): Promise<T> {
    this.#writes = true;
    this.engine.store.checkSpace();
    for (;;) {
      let until: Promise<void>;
      try {
        return attempt();
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (this.inTransaction || !error.until) throw writeConflict();
        ({ until } = error);
      } finally {
        this.durable()?.catch(() => undefined);
      }
      await before(this.deadline, until);
    }
  }
}

export const writeConflict = (): MongoError =>
  new MongoError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
  );

/** What the promise resolves with; error 50 when the deadline comes first. */
export async function before<T>(deadline: number, promise: Promise<T>): Promise<T> {
  if (deadline === Infinity) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), Math.max(0, deadline - Date.now()));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `db.collection`, checked as the server checks names. */
function checkedNs(db: string, collection: string): string {
  const bad = collection === '' || collection.startsWith('.') || collection.endsWith('.') || /[\0$]/.test(collection);
  if (bad || `${db}.${collection}`.length > 255)
    fail('InvalidNamespace', `Invalid namespace specified '${db}.${collection}'`);
  return `${db}.${collection}`;
}

const databaseName = /^[^\0/\\. "$*<>:|?]{1,63}$/;

export function checkedDb(db: unknown): string {
  if (typeof db === 'string' && databaseName.test(db)) return db;
  fail('InvalidNamespace', `Invalid database name: '${String(db)}'`);
}
