import { Doc } from '../language/doc.js';
import { documentOf, type Document } from '../language/values.js';
import { prefixOf } from '../storage/keys.js';
import type { Transaction } from '../storage/unit.js';

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
  unit: Transaction | undefined;
  /** When the open transaction is aborted, by `performance.now()`. */
  expiresAt = 0;
  /** Outcomes of the retryable write with `txnNumber`. */
  statements: Statements[] = [];
  /** Whether `statements` has changed since `stored` was called. */
  isChanged = false;
  /** Whether the file has a record of it. */
  isStored = false;
  lastUse = performance.now();

  constructor(
    readonly key: string,
    readonly lsid: Document,
  ) {}

  /** Starts a transaction or retryable write with this number. */
  startNumber(txnNumber: bigint): void {
    Object.assign(this, { txnNumber, state: 'none', unit: undefined, statements: [], isChanged: false });
  }

  /** Returns the outcome of a statement that was executed. */
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

  /** Returns the record to store: the outcomes, or that the transaction has committed. */
  stored(committed = false): Buffer {
    this.isChanged = false;
    this.isStored = true;
    const { lsid, txnNumber } = this;
    const statements = this.statements.map((each) => documentOf({ ...each }));
    return Doc.of({ lsid, txnNumber, committed, statements }).raw;
  }

  markCommitted(): void {
    this.state = 'committed';
    this.unit = undefined;
  }
}
