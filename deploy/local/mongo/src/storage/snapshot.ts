import type { Transaction } from 'lmdb';
import { fail } from '../language/errors.js';
import type { Changes } from './changes.js';
import type { File } from './file.js';
import type { Value } from './journal.js';
import { withoutChecksum } from './keys.js';

/** A record, and the `changeCount` of the snapshot when the record was read. */
export interface Stored {
  key: string;
  value: Buffer | undefined;
  changeCount: number;
}

/** A record in a range. Its value has a checksum if it was read from the file, but none if `isChanged`. */
interface Found {
  key: string;
  value?: Buffer;
  isChanged?: boolean;
}

/** Number of records that a range reads ahead: at first, and at most. */
const FIRST_CHUNK = 8;
const MAX_CHUNK = 256;

/** The changes that a reader sees but the file does not contain yet. */
interface View {
  readonly layers: readonly Changes[];
  /** Version of the database up to which the reader sees changes. */
  readonly at: number;
  /** Counter that increases when a change becomes visible to the reader. */
  readonly changeCount: number;
}

/**
 * What a reader sees: the file, or an LMDB read transaction, with the changes that are not yet in the file. Without a
 * read transaction (`Database.latest`), it always shows the newest state.
 */
export class Snapshot {
  constructor(
    private readonly file: File,
    private readonly events: { onDamage: (key: string) => never },
    private readonly view: View,
    private readonly transaction?: Transaction,
  ) {}

  get changeCount(): number {
    return this.view.changeCount;
  }

  /** Closes the read transaction. */
  close(): void {
    this.transaction?.done();
  }

  /**
   * Returns the value of a record. Throws DataCorruptionDetected if the record is damaged. If `copy` is set, it may be
   * called to copy the value, or only a part of it, from a buffer that the next read overwrites.
   */
  get(key: string, copy: (value: Buffer) => Buffer = (value) => Buffer.from(value)): Buffer | undefined {
    this.#checkOpen();
    const changed = this.#changed(key);
    if (changed !== undefined) return changed ?? undefined;
    const value = this.file.getBinaryFast(key, { transaction: this.transaction });
    return value && copy(this.#checked(key, value));
  }

  /**
   * Yields the records from `low` (inclusive) to `high` (exclusive). Records may change during the iteration: the
   * `changeCount` of those that were read ahead is then less than that of the snapshot.
   */
  *range(low: string, high: string, { reverse = false, keysOnly = false } = {}): Iterable<Stored> {
    for (let limit = FIRST_CHUNK; ; limit = Math.min(limit * 4, MAX_CHUNK)) {
      this.#checkOpen();
      const { changeCount, transaction } = this;
      const [start, end] = reverse ? [high, low] : [low, high];
      const options = { start, end, exclusiveStart: reverse, inclusiveEnd: reverse, reverse, limit, transaction };
      const found: Found[] = [];
      if (keysOnly) for (const key of this.file.getKeys(options)) found.push({ key });
      else for (const record of this.file.getRange(options)) found.push(record);
      const isLast = found.length < limit;
      const last = found.at(-1)?.key ?? '';
      const [from, until] = [reverse && !isLast ? last : low, reverse || isLast ? high : `${last}\0`];
      for (const { key, value, isChanged } of this.#merged(found, from, until, reverse))
        yield { key, value: value && !isChanged ? this.#checked(key, value) : value, changeCount };
      if (isLast) return;
      if (reverse) high = last;
      else low = until;
    }
  }

  #merged(found: Found[], low: string, high: string, reverse: boolean): Found[] {
    const changed = this.view.layers.flatMap((layer) => layer.between(low, high));
    if (changed.length === 0) return found;
    const records = new Map(found.map((record) => [record.key, record]));
    for (const key of changed) {
      const value = this.#changed(key);
      if (value) records.set(key, { key, value, isChanged: true });
      else if (value === null) records.delete(key);
    }
    const sorted = [...records.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return reverse ? sorted.reverse() : sorted;
  }

  /**
   * Throws if the file is closed: a command that waited while the engine stopped would crash the process by reading.
   */
  #checkOpen(): void {
    if (this.file.status !== 'open') fail('InterruptedAtShutdown', 'the engine is stopping');
  }

  #changed(key: string): Value | undefined {
    for (const layer of this.view.layers) {
      const value = layer.get(key, this.view.at);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #checked(key: string, value: Buffer): Buffer {
    return withoutChecksum(key, value) ?? this.events.onDamage(key);
  }
}
