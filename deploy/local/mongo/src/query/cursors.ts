import { randomBytes } from 'node:crypto';
import { MongoError } from '../language/errors.js';
import type { Session } from '../sessions/session.js';
import type { Transaction } from '../storage/unit.js';
import type { Effort } from './execute.js';

/** As with the server's default: cursors that nobody asks for ten minutes are closed. */
const idleMs = 10 * 60_000;
const maxBatchBytes = 16 * 1024 * 1024;

/** The rest of a result that its client has not fetched yet. */
export interface Cursor {
  readonly id: bigint;
  readonly ns: string;
  readonly documents: Iterator<Buffer>;
  readonly effort: Effort;
  /** The session that opened it, which alone may read on. */
  readonly session: Session | undefined;
  /** The transaction that it reads in, and ends with. */
  readonly transaction: Transaction | undefined;
  /** A document that did not fit into the batch before. */
  held: Buffer | undefined;
  lastUse: number;
}

/** Takes up to `limit` documents, fewer when they would fill more than 16 MiB. `done` when there are no more. */
export function takeBatch(
  cursor: Pick<Cursor, 'documents' | 'held'>,
  limit: number,
): { batch: Buffer[]; done: boolean } {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < limit) {
    let next = cursor.held;
    cursor.held = undefined;
    if (next === undefined) {
      const step = cursor.documents.next();
      if (step.done) return { batch, done: true };
      next = step.value;
    }
    bytes += next.length + 16;
    if (bytes > maxBatchBytes && batch.length > 0) {
      cursor.held = next;
      return { batch, done: false };
    }
    batch.push(next);
  }
  return { batch, done: false };
}

/** The open cursors. */
export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();

  get size(): number {
    return this.#cursors.size;
  }

  open(fields: Omit<Cursor, 'id' | 'lastUse'>): Cursor {
    const id = BigInt.asIntN(63, randomBytes(8).readBigInt64LE()) | 1n;
    const cursor: Cursor = { ...fields, id: id < 0n ? -id : id, lastUse: performance.now() };
    this.#cursors.set(cursor.id, cursor);
    return cursor;
  }

  /** The cursor with this id. Error 43 when there is none. */
  get(id: bigint): Cursor {
    const cursor = this.#cursors.get(id);
    if (!cursor) throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    cursor.lastUse = performance.now();
    return cursor;
  }

  close(id: bigint): boolean {
    const cursor = this.#cursors.get(id);
    cursor?.documents.return?.();
    return this.#cursors.delete(id);
  }

  /** Closes the cursors that read in a transaction, which has ended. */
  closeOf(transaction: Transaction): void {
    for (const cursor of this.#cursors.values()) if (cursor.transaction === transaction) this.close(cursor.id);
  }

  closeAll(): void {
    for (const id of this.#cursors.keys()) this.close(id);
  }

  /** Closes the cursors that a session opened. */
  closeIn(session: Session): void {
    for (const cursor of this.#cursors.values()) if (cursor.session === session) this.close(cursor.id);
  }

  /** Closes the cursors on a collection that is no more. */
  closeOn(ns: string): void {
    for (const cursor of this.#cursors.values()) if (cursor.ns === ns) this.close(cursor.id);
  }

  sweep(now = performance.now()): void {
    for (const cursor of this.#cursors.values()) {
      if (now - cursor.lastUse > idleMs) this.close(cursor.id);
    }
  }
}
