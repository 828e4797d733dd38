import { randomBytes } from 'node:crypto';
import { fail } from '../language/errors.js';
import type { Session } from '../sessions/session.js';
import type { Transaction } from '../storage/unit.js';
import type { Effort } from './execute.js';

/** As with the server's default: cursors that nobody asks for ten minutes are closed. */
const idleMs = 10 * 60_000;
const maxBatchBytes = 16 * 1024 * 1024;

interface Source {
  readonly ns: string;
  readonly documents: Iterator<Buffer>;
  readonly effort: Effort;
  /** The session that opened it, which alone may read on. */
  readonly session: Session | undefined;
  /** The transaction that it reads in, and ends with. */
  readonly transaction: Transaction | undefined;
}

/** A result that its client fetches in batches. */
export class Cursor {
  /** Given when it is added to the open cursors. */
  id = 0n;
  lastUse = performance.now();
  /** Whether all documents were taken. */
  isDone = false;
  /** The document after those that were taken. */
  #next: Buffer | undefined;

  constructor(readonly source: Source) {
    this.#advance();
  }

  /**
   * Takes up to `limit` documents, fewer when they would fill more than 16 MiB. Reads one document ahead, so that a result that
   * fits into its batch leaves no cursor behind.
   */
  take(limit: number): Buffer[] {
    const batch: Buffer[] = [];
    let bytes = 0;
    while (this.#next !== undefined && batch.length < limit) {
      bytes += this.#next.length + 16;
      if (bytes > maxBatchBytes && batch.length > 0) break;
      batch.push(this.#next);
      this.#advance();
    }
    return batch;
  }

  #advance(): void {
    const step = this.source.documents.next();
    this.isDone = step.done === true;
    this.#next = step.done ? undefined : step.value;
  }
}

/** The open cursors. */
export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();

  get size(): number {
    return this.#cursors.size;
  }

  add(cursor: Cursor): void {
    cursor.id = (randomBytes(8).readBigInt64LE() & 0x7fff_ffff_ffff_ffffn) | 1n;
    this.#cursors.set(cursor.id, cursor);
  }

  /** The cursor with this id. Error 43 when there is none. */
  get(id: bigint): Cursor {
    const cursor = this.#cursors.get(id);
    if (!cursor) fail('CursorNotFound', `cursor id ${id} not found`);
    cursor.lastUse = performance.now();
    return cursor;
  }

  close(id: bigint): boolean {
    const cursor = this.#cursors.get(id);
    cursor?.source.documents.return?.();
    return this.#cursors.delete(id);
  }

  /** Closes the cursors on a collection that is no more, of a session, or of a transaction that has ended; without any all. */
  closeAll(of: Partial<Source> = {}): void {
    for (const { id, source } of this.#cursors.values()) {
      if (Object.entries(of).every(([name, value]) => source[name as keyof Source] === value)) this.close(id);
    }
  }

  sweep(now = performance.now()): void {
    for (const cursor of this.#cursors.values()) {
      if (now - cursor.lastUse > idleMs) this.close(cursor.id);
    }
  }
}
