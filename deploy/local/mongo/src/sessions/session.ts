import { Doc } from '../language/doc.js';
import { documentOf, type Document } from '../language/values.js';
import { prefixOf } from '../storage/keys.js';
import type { Transaction } from '../storage/unit.js';

/** Statements of a retryable write, one after the other, with the same outcome: a retry gets it, and nothing is done twice. */
export interface Statements {
  first: number;
  count: number;
  result: Document;
}

export type TransactionState = 'none' | 'open' | 'committed' | 'aborted';

/** A logical session: the last transaction or retryable write that a client did in it. */
export class Session {
  txnNumber = -1n;
  state: TransactionState = 'none';
  /** The open transaction. */
  unit: Transaction | undefined;
  /** When the open transaction is aborted, by `performance.now()`. */
  expiresAt = 0;
  /** The retryable writes done under `txnNumber`. */
  statements: Statements[] = [];
  /** Whether something was noted since `stored` was called. */
  isChanged = false;
  /** Whether the file has a record of it. */
  isStored = false;
  lastUse = performance.now();

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
    this.isChanged = false;
  }

  /** What a statement that is done already answered. */
  resultOf(stmtId: number): Document | undefined {
    return this.statements.find(({ first, count }) => stmtId >= first && stmtId < first + count)?.result;
  }

  /** Notes the outcome of a retryable write, which must be stored together with the write. */
  record(stmtId: number, result: Document): void {
    this.isChanged = true;
    const last = this.statements.at(-1);
    if (last && last.result === result && stmtId === last.first + last.count) last.count += 1;
    else this.statements.push({ first: stmtId, count: 1, result });
  }

  get storageKey(): string {
    return prefixOf('session') + this.key;
  }

  /** What the file keeps: the outcomes of the last retryable write, or that the last transaction has committed. */
  stored(committed = false): Buffer {
    this.isChanged = false;
    this.isStored = true;
    const { lsid, txnNumber, statements } = this;
    return Doc.of(
      documentOf({ lsid, txnNumber, committed, statements: statements.map((each) => documentOf({ ...each })) }),
    ).raw;
  }

  /** Notes that the transaction has committed: a commit that is tried again succeeds. */
  markCommitted(): void {
    this.state = 'committed';
    this.unit = undefined;
  }
}
