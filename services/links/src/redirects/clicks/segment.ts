import { rm } from 'node:fs/promises';
import { AppendLog, readLog, type Range } from '@tautan/append-log';
import { Batcher } from '@tautan/kit';
import type { Batch } from './batch-builder.js';

const ID_BYTES = 26;
const HEAD_BYTES = 1 + ID_BYTES;

/**
 * A file of unacknowledged batches. It is deleted once it is sealed and all of its batches are acknowledged. A replay
 * after a crash repeats acknowledged batches. Message ids and the consumers' deduplication make the repeated batches
 * harmless.
 */
export class Segment {
  /** Damaged parts of the file, as found by `load`. */
  damage: readonly Range[] = [];
  readonly #unacknowledged = new Set<string>();
  #log: AppendLog | undefined;
  #sealing: Promise<void> | undefined;
  /** Appends in progress. */
  readonly #appending = new Set<Promise<void>>();
  /** Syncs the file. Appends that have been written during a sync share the next one. */
  readonly #syncs = new Batcher<void, void>({
    apply: async (appends) => {
      await this.#log!.sync();
      return appends;
    },
    maxSize: Infinity,
    concurrency: 1,
    lingerMs: 0,
  });
  #records = 0;
  #complete = false;

  private constructor(readonly path: string) {}

  /** Creates a file that accepts batches. */
  static async create(path: string): Promise<Segment> {
    const segment = new Segment(path);
    const onUnexpected = (): never => {
      throw new Error(`${path} already exists`);
    };
    // Synced separately, so that a batch never waits in memory for a slow sync of an earlier one: a killed process would
    // lose it.
    segment.#log = await AppendLog.open(path, { onRecord: onUnexpected, onLoss: onUnexpected, sync: false });
    return segment;
  }

  /** Returns the sealed segment for a file that an earlier instance left. Its batches are not read until `load`. */
  static existing(path: string): Segment {
    const segment = new Segment(path);
    segment.#sealing = Promise.resolve();
    segment.#complete = true;
    return segment;
  }

  get sealed(): boolean {
    return this.#sealing !== undefined;
  }

  /** Whether the segment is sealed, and each of its batches is on disk or could not be written. */
  get complete(): boolean {
    return this.#complete;
  }

  get bytes(): number {
    return this.#log?.size ?? 0;
  }

  get records(): number {
    return this.#records;
  }

  /** Whether no batch in memory awaits acknowledgement. Always true while the batches are only on disk. */
  get settled(): boolean {
    return this.#unacknowledged.size === 0;
  }

  /** Writes the batch immediately. Resolves when it has been synced to disk. */
  async append({ id, partition, payload }: Batch): Promise<void> {
    if (!this.#log || this.#sealing) throw new Error(`${this.path} is sealed`);
    this.#unacknowledged.add(id);
    this.#records += 1;
    const record = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
    record.writeUInt8(partition, 0);
    record.write(id, 1, ID_BYTES, 'latin1');
    payload.copy(record, HEAD_BYTES);
    const appending = this.#log.append(record).then(() => this.#syncs.run());
    this.#appending.add(appending);
    try {
      await appending;
    } catch (error) {
      this.#unacknowledged.delete(id);
      throw error;
    } finally {
      this.#appending.delete(appending);
    }
  }

  /**
   * Reads the intact batches, oldest first, including those after damage (see `damage`); all become unacknowledged
   * again. The file is not changed. Rejects if it cannot be read or is not a segment.
   */
  async load(): Promise<Batch[]> {
    const batches: Batch[] = [];
    this.damage = await readLog(this.path, (record) => {
      const id = record.toString('latin1', 1, HEAD_BYTES);
      batches.push({ id, partition: record.readUInt8(0), payload: record.subarray(HEAD_BYTES) });
    });
    this.#unacknowledged.clear();
    for (const { id } of batches) this.#unacknowledged.add(id);
    return batches;
  }

  /** Marks a batch as acknowledged. */
  acknowledge(id: string): void {
    this.#unacknowledged.delete(id);
  }

  /** Seals the file. Resolves when each of its batches is on disk or could not be written. */
  seal(): Promise<void> {
    // Errors need no handling here: a failed write has already rejected its `append`.
    this.#sealing ??= Promise.allSettled(this.#appending)
      .then(() => this.#log!.close())
      .catch(() => undefined)
      .finally(() => (this.#complete = true));
    return this.#sealing;
  }

  /** Forgets the unacknowledged batches, which will be read from the file again. */
  evict(): void {
    this.#unacknowledged.clear();
  }

  async remove(): Promise<void> {
    await this.seal();
    await rm(this.path, { force: true });
  }
}
