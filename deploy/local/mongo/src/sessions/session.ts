import { Doc } from '../bson/doc.js';
import type { RawDoc } from '../bson/raw.js';
import { documentOf, type Document } from '../language/values.js';
import type { Unit } from '../storage/unit.js';

/** The outcome of a retryable write, kept so that a retry gets the same answer and nothing is done twice. */
export interface Statement {
  /** The entry of the log: `{lsid, txnNumber, stmtId, result}`. */
  raw: RawDoc;
  result: Document;
}

export type TransactionState = 'none' | 'open' | 'committed' | 'aborted';

/** A logical session: the last transaction or retryable write that a client did in it. */
export class Session {
  txnNumber = -1n;
  state: TransactionState = 'none';
  /** The open transaction. */
  unit: Unit | undefined;
  /** When the open transaction began, in milliseconds since 1970. */
  begunAt = 0;
  /** The retryable writes done under `txnNumber`, by statement. */
  readonly statements = new Map<number, Statement>();
  /** The log's entry that says that the transaction `txnNumber` has committed. */
  committed: RawDoc | undefined;
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
    this.committed = undefined;
    this.statements.clear();
  }

  /** Notes the outcome of a retryable write; answers the entry that must be logged together with the write. */
  record(stmtId: number, result: Document): RawDoc {
    const { raw } = Doc.of(documentOf({ lsid: this.lsid, txnNumber: this.txnNumber, stmtId, result }));
    this.statements.set(stmtId, { raw, result });
    return raw;
  }

  /** Notes that the transaction commits; answers the entry that must be logged together with its writes. */
  recordCommit(): RawDoc {
    this.state = 'committed';
    this.unit = undefined;
    this.committed = Doc.of(documentOf({ lsid: this.lsid, txnNumber: this.txnNumber, committed: true })).raw;
    return this.committed;
  }
}
