import { Binary } from 'bson';
import { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { documentOf, isDocument, type Document } from '../language/values.js';
import { recordKeysOf } from '../storage/catalog.js';
import type { Store } from '../storage/store.js';
import { prefixOf } from '../storage/keys.js';
import type { Transaction } from '../storage/unit.js';

/** Sessions expire after this time without use. */
export const SESSION_MINUTES = 30;

/** Consecutive statements of a retryable write with the same outcome. */
export interface Statements {
  first: number;
  count: number;
  result: Document;
}

/** A logical session, with its last transaction or retryable write. */
export class Session {
  txnNumber = -1n;
  state: 'none' | 'open' | 'committed' | 'aborted' = 'none';
  /** The open transaction. */
  transaction: Transaction | undefined;
  /** Expiry of the open transaction, by `performance.now()`. */
  expiresAt = 0;
  /** Outcomes of the retryable write with `txnNumber`. */
  statements: Statements[] = [];
  /** Whether `statements` has changed since `toRecord` was called. */
  isChanged = false;
  /** Whether the database has a record of this session. */
  isStored = false;
  lastUse = performance.now();

  constructor(
    readonly key: string,
    readonly lsid: Document,
  ) {}

  /** Sets the number of the next transaction or retryable write, and discards the state of the previous one. */
  resetTo(txnNumber: bigint): void {
    Object.assign(this, { txnNumber, state: 'none', transaction: undefined, statements: [], isChanged: false });
  }

  /** Returns the outcome of a statement; undefined if it was not executed. */
  resultOf(stmtId: number): Document | undefined {
    return this.statements.find(({ first, count }) => stmtId >= first && stmtId < first + count)?.result;
  }

  /** Records the outcome of a statement, which must be stored together with its write. */
  record(stmtId: number, result: Document): void {
    this.isChanged = true;
    const last = this.statements.at(-1);
    if (last && last.result === result && stmtId === last.first + last.count) last.count += 1;
    else this.statements.push({ first: stmtId, count: 1, result });
  }

  get storageKey(): string {
    return prefixOf('session') + this.key;
  }

  /**
   * Returns the record to store: the outcomes of a retryable write, or `committed` for a transaction. Marks the session
   * as stored.
   */
  toRecord(committed = false): Buffer {
    this.isChanged = false;
    this.isStored = true;
    const { lsid, txnNumber } = this;
    const statements = this.statements.map((each) => documentOf({ ...each }));
    return Doc.of({ lsid, txnNumber, committed, statements }).raw;
  }

  markCommitted(): void {
    this.state = 'committed';
    this.transaction = undefined;
  }
}

/** All sessions. The outcomes that retries need are also stored in the database. */
export class SessionTable {
  readonly #sessions = new Map<string, Session>();

  /** `lifetimeSeconds`: maximum lifetime of a transaction. A change applies to transactions that start afterwards. */
  constructor(
    private readonly store: Store,
    public lifetimeSeconds: number,
  ) {
    this.#load();
  }

  /** Returns the session of an `lsid`, and creates it if it is new. */
  of(lsid: unknown): Session {
    const key = keyOf(lsid);
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, (session = new Session(key, lsid as Document)));
    session.lastUse = performance.now();
    return session;
  }

  /** Ends a session for `endSessions`: aborts its open transaction, and deletes its stored outcomes. */
  end(lsid: unknown): void {
    const session = this.#sessions.get(keyOf(lsid));
    if (!session) return;
    this.abort(session);
    this.#delete(session);
  }

  /**
   * Aborts transactions that exceed their lifetime, whether or not their client is connected, and deletes expired
   * sessions.
   */
  sweep(now = performance.now()): void {
    for (const session of this.#sessions.values()) {
      if (session.transaction && now >= session.expiresAt) this.abort(session);
      if (!session.transaction && now - session.lastUse > SESSION_MINUTES * 60_000) this.#delete(session);
    }
  }

  /** Aborts the open transaction of a session. */
  abort(session: Session): void {
    const { transaction } = session;
    if (!transaction) return;
    session.transaction = undefined;
    session.state = 'aborted';
    this.store.abort(transaction);
  }

  abortAll(): void {
    for (const session of this.#sessions.values()) this.abort(session);
  }

  /** Resets all sessions after the store lost changes and ended all transactions. Reads the stored sessions again. */
  reload(): void {
    for (const session of this.#sessions.values()) {
      const wasOpen = session.transaction !== undefined;
      session.resetTo(session.txnNumber);
      if (wasOpen) session.state = 'aborted';
    }
    this.#load();
  }

  #load(): void {
    const { latest } = this.store.database;
    for (const key of recordKeysOf(latest, 'session')) {
      const { lsid, txnNumber, committed, statements } = new Doc(latest.get(key)!).decoded;
      const session = this.of(lsid);
      session.resetTo(txnNumber as bigint);
      session.isStored = true;
      session.statements = statements as Statements[];
      if (committed === true) session.markCommitted();
    }
  }

  #delete(session: Session): void {
    if (session.isStored) this.store.autocommit.put(session.storageKey, null);
    this.#sessions.delete(session.key);
  }
}

function keyOf(lsid: unknown): string {
  const id = isDocument(lsid) ? lsid['id'] : undefined;
  if (!(id instanceof Binary) || id.position !== 16) fail('TypeMismatch', "'lsid.id' must be a UUID");
  return Buffer.from(id.buffer.subarray(0, 16)).toString('latin1');
}
