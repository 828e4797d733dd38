import type { Engine } from '../engine.js';
import { fail, MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { timedOut } from '../query/execute.js';
import type { Session } from '../sessions/sessions.js';
import { Blocked } from '../storage/conflicts.js';
import type { Snapshot } from '../storage/snapshot.js';
import type { Transaction, Unit } from '../storage/unit.js';
import { CloseConnection } from './fail-points.js';

export interface Client {
  readonly id: number;
  /** The application's name, from the `appName` option of its driver. */
  appName?: string;
  readonly closed: boolean;
}

export class Context {
  session: Session | undefined;
  transaction: Transaction | undefined;
  /** The `txnNumber` of a retryable write; undefined for other commands. */
  retryableTxnNumber: bigint | undefined;
  /** Set if a statement failed, so that the transaction, if any, must abort. */
  failed = false;
  /** Set if the connection must be closed instead of sending the reply. */
  closeAfterwards = false;
  #writes = false;

  constructor(
    readonly engine: Engine,
    readonly client: Client,
    readonly name: string,
    readonly body: Document,
    readonly db: string,
    /** Milliseconds since 1970; Infinity without `maxTimeMS`. */
    readonly deadline: number,
  ) {}

  get unit(): Unit {
    return this.transaction ?? this.engine.store.autocommit;
  }

  get reader(): Snapshot {
    return this.unit.reader;
  }

  /** The namespace in the command's first field. Throws InvalidNamespace. */
  get ns(): string {
    return this.nsOf(this.body[this.name]);
  }

  nsOf(collection: unknown): string {
    if (typeof collection !== 'string')
      fail('InvalidNamespace', `collection name has invalid type ${typeof collection}`);
    const ns = `${this.db}.${collection}`;
    if (!/^[^\0$.][^\0$]*(?<!\.)$/.test(collection) || ns.length > 255)
      fail('InvalidNamespace', `Invalid namespace specified '${ns}'`);
    return ns;
  }

  /** Throws Blocked while too many changes wait to be written to the file. */
  checkBacklog(): void {
    if (!this.transaction) this.engine.store.checkBacklog();
  }

  /**
   * Passes the writes of this command, and its outcome if it is a retryable write, to the journal. Resolves when they
   * are durable. Returns undefined if the command does not write, or writes in a transaction.
   */
  persist(): Promise<void> | undefined {
    if (!this.#writes || this.transaction) return undefined;
    const { session, engine, retryableTxnNumber } = this;
    if (retryableTxnNumber !== undefined && session!.isChanged)
      engine.store.autocommit.put(session!.storageKey, session!.toRecord());
    return engine.store.durable();
  }

  /** Returns the outcome of a statement of a retryable write, if the statement has already been executed. */
  outcomeOf(stmtId: number): Document | undefined {
    return this.retryableTxnNumber === undefined ? undefined : this.session!.resultOf(stmtId);
  }

  /** Records the outcome of a statement of a retryable write, to be stored together with the write. */
  recordStatement(stmtId: number, result: Document): void {
    if (this.retryableTxnNumber !== undefined) this.session!.record(stmtId, result);
  }

  /** Applies the fail point for retryable writes: throws, or marks the connection to be closed after the write. */
  applyWriteFailPoint(): void {
    const failure = this.retryableTxnNumber === undefined ? undefined : this.engine.failPoints.failureForWrite();
    if (failure?.error) throw failure.close ? new CloseConnection() : failure.error;
    this.closeAfterwards ||= failure?.close ?? false;
  }

  /**
   * Runs `attempt`, which writes. If `attempt` throws Blocked, the command fails with WriteConflict in a transaction.
   * Outside of transactions, the command waits until it is no longer blocked and calls `attempt` again, which must
   * continue where it threw Blocked. The writes of `attempt` are passed to the journal together with its outcome before
   * other commands run.
   */
  async executeWrites<T>(attempt: () => T): Promise<T> {
    this.#writes = true;
    this.engine.store.checkSpace();
    for (;;) {
      let until: Promise<void>;
      try {
        return attempt();
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (this.transaction || !error.until) throw writeConflict();
        ({ until } = error);
      } finally {
        this.persist()?.catch(() => undefined);
      }
      await withDeadline(this.deadline, until);
    }
  }
}

export const writeConflict = (): MongoError =>
  new MongoError(
    'WriteConflict',
    'Caused by :: Write conflict. :: Please retry your operation or multi-document transaction.',
  );

/** Resolves with the result of `promise`. Rejects with MaxTimeMSExpired if the deadline passes first. */
async function withDeadline<T>(deadline: number, promise: Promise<T>): Promise<T> {
  if (deadline === Infinity) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), Math.max(0, deadline - Date.now()));
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
