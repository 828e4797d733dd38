import { Doc } from '../bson/doc.js';
import type { RawDoc } from '../bson/raw.js';
import { documentOf, type Document } from '../language/values.js';
import type { Unit } from '../storage/unit.js';

/** Statements of a retryable write, one after the other, with the same outcome: a retry gets it, and nothing is done twice. */
export interface Statements {
  first: number;
  count: number;
  result: Document;
}

/** `{lsid, txnNumber, first, count, result}` or `{lsid, txnNumber, committed: true}`: an entry of the log about a session. */
export type SessionEntry = RawDoc;

export type TransactionState = 'none' | 'open' | 'committed' | 'aborted';

/** A logical session: the last transaction or retryable write that a client did in it. */
export class Session {
  txnNumber = -1n;
  state: TransactionState = 'none';
  /** The open transaction. */
  unit: Unit | undefined;
  /** When the open transaction is aborted, Unix ms. */
  expiresAt = 0;
  /** The retryable writes done under `txnNumber`. */
  statements: Statements[] = [];
  /** Of those, the ones that are not in the log yet. */
  #unlogged: Statements[] = [];
  lastUse = Date.now();

  constructor(
    readonly key: string,
    readonly lsid: Document,
  ) {}

  /** Turns to a newer number: what was kept for the older one is forgotten. */
  turnTo(txnNumber: bigint): void {
    this.txnNumber = txnNumber;
    this.state = 'none';
    this.unit = undefined;
    this.statements = [];
    this.#unlogged = [];
  }

  /** What a statement that is done already answered. */
  resultOf(stmtId: number): Document | undefined {
    return this.statements.find(({ first, count }) => stmtId >= first && stmtId < first + count)?.result;
  }

  /** Notes the outcome of a retryable write. It must be logged together with the write: see `takeUnlogged`. */
  record(stmtId: number, result: Document): void {
    const last = this.#unlogged.at(-1);
    if (last && last.result === result && stmtId === last.first + last.count) {
      last.count += 1;
      return;
    }
    const statements = { first: stmtId, count: 1, result };
    this.statements.push(statements);
    this.#unlogged.push(statements);
  }

  /** The entries for what was noted and not logged yet. */
  takeUnlogged(): SessionEntry[] {
    if (this.#unlogged.length === 0) return [];
    const entries = this.#unlogged.map((statements) => this.#entry(statements));
    this.#unlogged = [];
    return entries;
  }

  /** The entries that give this session's present state when they are read back. */
  entries(): SessionEntry[] {
    const done = this.statements.filter((statements) => !this.#unlogged.includes(statements));
    return [
      ...(this.state === 'committed' ? [this.commitEntry()] : []),
      ...done.map((statements) => this.#entry(statements)),
    ];
  }

  #entry({ first, count, result }: Statements): SessionEntry {
    return Doc.of(documentOf({ lsid: this.lsid, txnNumber: this.txnNumber, first, count, result })).raw;
  }

  /** The entry that must be logged together with the writes of the transaction that commits. */
  commitEntry(): SessionEntry {
    return Doc.of(documentOf({ lsid: this.lsid, txnNumber: this.txnNumber, committed: true })).raw;
  }

  /** Notes that the transaction has committed: a commit that is tried again succeeds. */
  markCommitted(): void {
    this.state = 'committed';
    this.unit = undefined;
  }
}
