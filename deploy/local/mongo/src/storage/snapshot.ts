import type { Transaction } from 'lmdb';
import type { Changes } from './changes.js';
import type { File } from './file.js';
import { MongoError } from '../language/errors.js';
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

const firstChunk = 8;
const largestChunk = 256;

/** What a reader sees: the file, or the file at one moment, below changes that are not in it yet. */
export abstract class Snapshot {
  protected readonly transaction: Transaction | undefined;

  constructor(
    private readonly file: File,
    private readonly onDamage: (key: string) => never,
  ) {}

  /** The changes above the file, the newest first. */
  protected abstract get layers(): readonly Changes[];

  /** Grows with every change that this reader sees. */
  abstract get version(): number;

  /** The value of a record; undefined when there is none. Throws when it is damaged. */
  get(key: string): Buffer | undefined {
    this.#checkOpen();
    const changed = this.#changed(key);
    const value = changed === undefined ? this.file.getBinary(key, { transaction: this.transaction }) : changed;
    return value ? this.#checked(key, value) : undefined;
  }

  /**
   * The records from `low` until before `high`, which begin with the same five characters. It goes on correctly when
   * records change between two steps; one that was read ahead may then be older than the reader's `version`.
   */
  *range(low: string, high: string, { reverse = false, keysOnly = false }: RangeOptions = {}): Iterable<Stored> {
    for (let limit = firstChunk; ; limit = Math.min(limit * 4, largestChunk)) {
      this.#checkOpen();
      const { version } = this;
      const options = { start: reverse ? high : low, end: reverse ? low : high, reverse, limit, transaction: this.transaction, exclusiveStart: reverse, inclusiveEnd: reverse }; // prettier-ignore
      const found: { key: string; value?: Buffer }[] = keysOnly
        ? Array.from(this.file.getKeys(options), (key) => ({ key }))
        : [...this.file.getRange(options)];
      const isLast = found.length < limit;
      const last = found.at(-1)?.key ?? '';
      const [from, until] = [reverse && !isLast ? last : low, reverse || isLast ? high : `${last}\0`];
      for (const { key, value } of this.#merged(found, from, until, reverse)) {
        yield { key, value: value && this.#checked(key, value), version };
      }
      if (isLast) return;
      if (reverse) high = last;
      else low = until;
    }
  }

  #merged(
    found: { key: string; value?: Buffer }[],
    low: string,
    high: string,
    reverse: boolean,
  ): { key: string; value?: Buffer }[] {
    const changed = this.layers.flatMap((layer) => layer.between(low, high));
    if (changed.length === 0) return found;
    const records = new Map(found.map((record) => [record.key, record]));
    for (const key of changed) {
      const value = this.#changed(key);
      if (value) records.set(key, { key, value });
      else records.delete(key);
    }
    const sorted = [...records.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return reverse ? sorted.reverse() : sorted;
  }

  /** A command that waits while the engine stops must not read from a closed file, which would end the process. */
  #checkOpen(): void {
    if (this.file.status !== 'open') throw new MongoError('InterruptedAtShutdown', 'the engine is stopping');
  }

  #changed(key: string): Buffer | null | undefined {
    for (const layer of this.layers) {
      const value = layer.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #checked(key: string, value: Buffer): Buffer {
    return withoutChecksum(key, value) ?? this.onDamage(key);
  }
}
