import { randomBytes } from 'node:crypto';
import { fail } from '../language/errors.js';
import type { Session } from '../sessions/sessions.js';
import type { Transaction } from '../storage/unit.js';
import type { QueryCost } from './execute.js';

/** Idle time after which cursors are closed. The default of a MongoDB server. */
const IDLE_MS = 10 * 60_000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

interface Source {
  readonly ns: string;
  readonly documents: Iterator<Buffer>;
  readonly cost: QueryCost;
  readonly session: Session | undefined;
  /** The transaction that the cursor reads in. The cursor is closed when the transaction ends. */
  readonly transaction: Transaction | undefined;
}

export class Cursor {
  /** 0 unless the cursor remains open after its first batch. */
  id = 0n;
  lastUse = performance.now();
  /** The next document, read ahead, so that a result that fits in one batch leaves no open cursor. */
  #next: Buffer | undefined;

  constructor(readonly source: Source) {
    this.#advance();
  }

  get isDone(): boolean {
    return this.#next === undefined;
  }

  /** Returns up to `limit` documents with a total size of up to 16 MiB. */
  take(limit: number): Buffer[] {
    const batch: Buffer[] = [];
    let bytes = 0;
    while (this.#next !== undefined && batch.length < limit) {
      bytes += this.#next.length + 16;
      if (bytes > MAX_BATCH_BYTES && batch.length > 0) break;
      batch.push(this.#next);
      this.#advance();
    }
    return batch;
  }

  #advance(): void {
    const step = this.source.documents.next();
    this.#next = step.done ? undefined : step.value;
  }
}

export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();

  get size(): number {
    return this.#cursors.size;
  }

  add(cursor: Cursor): void {
    cursor.id = (randomBytes(8).readBigInt64LE() & 0x7fff_ffff_ffff_ffffn) | 1n;
    this.#cursors.set(cursor.id, cursor);
  }

  /** Returns the cursor with this id. Throws CursorNotFound. */
  get(id: bigint): Cursor {
    const cursor = this.#cursors.get(id) ?? fail('CursorNotFound', `cursor id ${id} not found`);
    cursor.lastUse = performance.now();
    return cursor;
  }

  close(id: bigint): boolean {
    this.#cursors.get(id)?.source.documents.return?.();
    return this.#cursors.delete(id);
  }

  /** Closes all cursors, or those whose sources match. */
  closeAll(matches: (source: Source) => boolean = () => true): void {
    for (const { id, source } of this.#cursors.values()) if (matches(source)) this.close(id);
  }

  sweep(now = performance.now()): void {
    for (const { id, lastUse } of this.#cursors.values()) if (now - lastUse > IDLE_MS) this.close(id);
  }
}
