import type { Transaction } from 'lmdb';
import type { Changes } from './changes.js';
import type { File } from './file.js';
import type { Value } from './journal.js';
import { fail } from '../language/errors.js';
import { withoutChecksum } from './keys.js';

/** A record as it was at some version of its snapshot. */
export interface Stored {
  key: string;
  /** Undefined when only keys were asked for. */
  value: Buffer | undefined;
  version: number;
}

export interface RangeOptions {
  reverse?: boolean;
  keysOnly?: boolean;
}

interface Found {
  key: string;
  value?: Buffer;
  /** Whether it is not from the file. */
  isChanged?: boolean;
}

const firstChunk = 8;
const maxChunk = 256;

/** The changes above the file that a reader sees. */
interface View {
  /** The newest first. */
  readonly layers: readonly Changes[];
  /** The newest version of them that the reader sees. */
  readonly at: number;
  /** Grows with every change that the reader sees. */
  readonly version: number;
}

/** What a reader sees: the file, or the file as a read transaction of LMDB shows it, below changes that are not in it yet. */
export class Snapshot {
  constructor(
    private readonly file: File,
    private readonly events: { onDamage: (key: string) => never },
    private readonly view: View,
    private readonly transaction?: Transaction,
  ) {}

  get version(): number {
    return this.view.version;
  }

  /** Ends the read transaction. */
  close(): void {
    this.transaction?.done();
  }

  /** The value of a record; undefined when there is none. Throws when it is damaged. */
  get(key: string): Buffer | undefined {
    this.#checkOpen();
    const changed = this.#changed(key);
    if (changed !== undefined) return changed ?? undefined;
    const value = this.file.getBinary(key, { transaction: this.transaction });
    return value && this.#checked(key, value);
  }

  /**
   * The records from `low` until before `high`. It goes on correctly when records change between two steps; one that was
   * read ahead may then be older than the reader's `version`.
   */
  *range(low: string, high: string, { reverse = false, keysOnly = false }: RangeOptions = {}): Iterable<Stored> {
    for (let limit = firstChunk; ; limit = Math.min(limit * 4, maxChunk)) {
      this.#checkOpen();
      const { version } = this;
      const options = {
        start: reverse ? high : low,
        end: reverse ? low : high,
        reverse,
        limit,
        transaction: this.transaction,
        exclusiveStart: reverse,
        inclusiveEnd: reverse,
      };
      const found: Found[] = keysOnly
        ? Array.from(this.file.getKeys(options), (key) => ({ key }))
        : [...this.file.getRange(options)];
      const isLast = found.length < limit;
      const last = found.at(-1)?.key ?? '';
      const [from, until] = [reverse && !isLast ? last : low, reverse || isLast ? high : `${last}\0`];
      for (const { key, value, isChanged } of this.#merged(found, from, until, reverse)) {
        yield { key, value: value && !isChanged ? this.#checked(key, value) : value, version };
      }
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

  /** A command that waits while the engine stops must not read from a closed file, which would end the process. */
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
