import { int32Bytes, type RawDoc } from '../bson/raw.js';

/** What an entry of the log says; the byte that begins it. */
export const Entry = { put: 1, remove: 2, catalog: 3, session: 4 } as const;

/**
 * Entries that become one record of the log, and so are durable together or not at all. An entry is a kind (1 byte), a
 * collection number (4 bytes little endian) and a BSON document: the whole document (put), its `_id` (remove), or a change
 * of the catalog or of a session's retryable writes.
 */
export class LogBatch {
  bytes = 0;
  #parts: string[] = [];

  get empty(): boolean {
    return this.bytes === 0;
  }

  add(kind: number, collection: number, raw: RawDoc): void {
    this.#parts.push(String.fromCharCode(kind) + int32Bytes(collection), raw);
    this.bytes += 5 + raw.length;
  }

  /** The record; the batch is empty afterwards. */
  take(): Buffer {
    const record = Buffer.allocUnsafe(this.bytes);
    let at = 0;
    for (const part of this.#parts) at += record.write(part, at, 'latin1');
    this.#parts = [];
    this.bytes = 0;
    return record;
  }
}

/** Calls `onEntry` for each entry of a record. */
export function readBatch(record: Buffer, onEntry: (kind: number, collection: number, raw: RawDoc) => void): void {
  let at = 0;
  while (at < record.length) {
    const end = at + 5 + record.readInt32LE(at + 5);
    onEntry(record[at]!, record.readInt32LE(at + 1), record.toString('latin1', at + 5, end));
    at = end;
  }
}
