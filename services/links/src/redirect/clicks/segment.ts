import { rm } from 'node:fs/promises';
import { AppendLog, readLog, type Range } from '@tautan/append-log';
import type { Batch } from './batch-builder.js';

const ID_BYTES = 26;
const HEAD_BYTES = 1 + ID_BYTES;

/**
 * A file of batches that the stream has not acknowledged yet. It is removed as a whole once it takes no more batches and
 * all of its batches are acknowledged: a replay after a crash repeats what was acknowledged already, which the message
 * ids and the consumers' markers make harmless.
 */
export class Segment {
  /** The parts of the file that are not whole batches, as `load` found them. */
  damage: readonly Range[] = [];
  readonly #unacknowledged = new Set<string>();
  #log: AppendLog | undefined;
  #sealing: Promise<void> | undefined;
  #records = 0;
  #whole = false;

  private constructor(readonly path: string) {}

  /** Creates a file that accepts batches. */
  static async create(path: string): Promise<Segment> {
    const segment = new Segment(path);
    const onUnexpected = (): never => {
      throw new Error(`${path} exists already`);
    };
    segment.#log = await AppendLog.open(path, { onRecord: onUnexpected, onLoss: onUnexpected });
    return segment;
  }

  /** A file that an earlier instance left, or that is too long ago to be in memory. Takes no more batches. */
  static existing(path: string): Segment {
    const segment = new Segment(path);
    segment.#sealing = Promise.resolve();
    segment.#whole = true;
    return segment;
  }

  get sealed(): boolean {
    return this.#sealing !== undefined;
  }

  /** Whether it is sealed, and every batch of it is on disk or has failed. */
  get whole(): boolean {
    return this.#whole;
  }

  get bytes(): number {
    return this.#log?.size ?? 0;
  }

  get records(): number {
    return this.#records;
  }

  /** Whether there is nothing in it that still has to be acknowledged. */
  get settled(): boolean {
    return this.#unacknowledged.size === 0;
  }

  /** Resolves when the batch is on disk. */
  async append({ id, partition, payload }: Batch): Promise<void> {
    if (!this.#log || this.#sealing) throw new Error(`${this.path} takes no more batches`);
    this.#unacknowledged.add(id);
    this.#records += 1;
    const record = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
    record.writeUInt8(partition, 0);
    record.write(id, 1, ID_BYTES, 'latin1');
    payload.copy(record, HEAD_BYTES);
    try {
      await this.#log.append(record);
    } catch (error) {
      this.#unacknowledged.delete(id);
      throw error;
    }
  }

  /**
   * Reads the whole batches back, oldest first, those behind damage included (see `damage`); all count as unacknowledged
   * again. The file stays as it is. Rejects when it cannot be read or is not a file of clicks.
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

  /** Notes that the stream has a batch. */
  acknowledge(id: string): void {
    this.#unacknowledged.delete(id);
  }

  /** Takes no more batches; resolves when all of them are on disk or have failed. */
  seal(): Promise<void> {
    // A failed write was told to whoever appended.
    this.#sealing ??= this.#log!.close()
      .catch(() => undefined)
      .finally(() => (this.#whole = true));
    return this.#sealing;
  }

  /** Forgets which batches are unacknowledged: they are to be read from the file again. */
  cool(): void {
    this.#unacknowledged.clear();
  }

  async remove(): Promise<void> {
    await this.seal();
    await rm(this.path, { force: true });
  }
}
