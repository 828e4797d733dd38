import { closeSync, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { AppendLog, type OpenOptions } from '@tautan/append-log';
import {
  decodeRecord,
  encodeBase,
  encodeFloor,
  encodeMessage,
  encodeRemoval,
  type SegmentRecord,
  type StoredMessage,
} from './record.js';
import type { Slot } from './slot.js';

/** Size in bytes of the log's record header and file header. */
const [recordHead, fileHead] = [8, 8];

/** Handling of corrupt files. */
export type DamagePolicy = Pick<OpenOptions, 'onLoss' | 'repair'>;

/** A contiguous range of a stream's messages in one file. Only the last segment accepts new messages. */
export class Segment {
  /** Number of live messages and the size of their records. */
  live = 0;
  liveBytes = 0;
  /**
   * Slots by sequence, starting at `first`. Undefined for the sequences of removed messages and for skipped sequences.
   */
  #slots: (Slot | undefined)[] = [];
  #reader: number | undefined;
  #recovering: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    readonly number: number,
    private readonly log: AppendLog,
    /** Lowest possible sequence. */
    public first: number,
  ) {}

  /**
   * Opens a file of the stream. While the file is read, `onRecord` receives each record, with the position and length
   * of its bytes. The returned segment has no messages: the caller sets `first` and adds them. Rejects as
   * `AppendLog.open` does.
   */
  static async open(
    path: string,
    number: number,
    onRecord: (record: SegmentRecord, position: number, length: number) => void,
    damage: DamagePolicy,
  ): Promise<Segment> {
    let position = fileHead;
    const log = await AppendLog.open(path, {
      onRecord: (payload) => {
        onRecord(decodeRecord(payload), position + recordHead, payload.length);
        position += recordHead + payload.length;
      },
      ...damage,
    });
    return new Segment(path, number, log, 1);
  }

  /** Atomically creates the file for the messages after `seq`, with its base record. */
  static async create(path: string, number: number, seq: number): Promise<Segment> {
    const onUnexpected = (): never => {
      throw new Error(`${path} already exists`);
    };
    const log = await AppendLog.open(path, {
      initial: [encodeBase(seq)],
      onRecord: onUnexpected,
      onLoss: onUnexpected,
    });
    return new Segment(path, number, log, seq + 1);
  }

  /** Size of the file including queued writes. */
  get bytes(): number {
    return this.log.size;
  }

  /** Size that the file would have after a compaction. */
  get compactedBytes(): number {
    const head = [encodeBase(this.first), encodeFloor(this.first)].reduce(
      (sum, { length }) => sum + recordHead + length,
      0,
    );
    return fileHead + head + this.live * recordHead + this.liveBytes;
  }

  /** Recovers after a failed write. Rejects while the disk still fails. */
  async recover(): Promise<void> {
    if (!this.log.failed) return;
    this.#recovering ??= this.log.recover(() => undefined).finally(() => (this.#recovering = undefined));
    await this.#recovering;
  }

  /** Records that every message added to this file from now on has a sequence above `seq`. */
  skipTo(seq: number): Promise<void> {
    return this.log.append(encodeBase(seq));
  }

  /** Queues a message. `place` is its position in the file. */
  append(message: StoredMessage): { place: { position: number; length: number }; written: Promise<void> } {
    const record = encodeMessage(message);
    const place = { position: this.log.size + recordHead, length: record.length };
    return { place, written: this.log.append(record) };
  }

  add(slot: Slot): void {
    this.#slots[slot.seq - this.first] = slot;
    this.live++;
    this.liveBytes += slot.length;
  }

  /** Removes a slot from the index. */
  forget(slot: Slot): void {
    this.#slots[slot.seq - this.first] = undefined;
    this.live--;
    this.liveBytes -= slot.length;
  }

  /** Records a removal durably. */
  recordRemoval(seq: number): Promise<void> {
    return this.log.append(encodeRemoval(seq));
  }

  /** Records that every message before `seq`, in this or an older segment, was removed. */
  recordFloor(seq: number): Promise<void> {
    return this.log.append(encodeFloor(seq));
  }

  slot(seq: number): Slot | undefined {
    return this.#slots[seq - this.first];
  }

  /** Iterates over live messages from `seq`, oldest first. */
  *slots(seq = this.first): Generator<Slot> {
    for (let n = Math.max(0, seq - this.first); n < this.#slots.length; n++) {
      const slot = this.#slots[n];
      if (slot) yield slot;
    }
  }

  /** Reads a message, which must have been written. */
  read(slot: Slot): StoredMessage {
    const record = decodeRecord(this.#raw(slot));
    if (record.kind !== 'message' || record.message.seq !== slot.seq) {
      throw new Error(`${this.path} does not hold message ${slot.seq} at ${slot.position}`);
    }
    return record.message;
  }

  /**
   * Rewrites the file so that it contains only a base record, a floor record for the sequence that `floor` returns, and
   * the live messages. The floor record is kept because it also applies to older files. Messages can be read and
   * removed in the meantime.
   */
  async compact(floor: () => number): Promise<void> {
    const places = new Map<Slot, number>();
    const live = [...this.slots()];
    await this.log.compact(this.#snapshot(live, places, floor));
    // Switch the reader and the positions to the new file in one synchronous step.
    this.#closeReader();
    for (const [slot, position] of places) slot.position = position;
  }

  *#snapshot(live: Slot[], places: Map<Slot, number>, floor: () => number): Generator<Buffer> {
    const head = [encodeBase(this.first - 1), encodeFloor(floor())];
    yield* head;
    let position = fileHead + head.reduce((sum, record) => sum + recordHead + record.length, 0);
    for (const slot of live) {
      places.set(slot, position + recordHead);
      position += recordHead + slot.length;
      yield this.#raw(slot);
    }
  }

  async close(): Promise<void> {
    await this.log.close().finally(() => this.#closeReader());
  }

  /** Closes and deletes the file. */
  async destroy(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  #raw(slot: Slot): Buffer {
    // Read synchronously: the bytes are nearly always in the page cache, and the thread pool would be slower.
    this.#reader ??= openSync(this.path, 'r');
    const bytes = Buffer.allocUnsafe(slot.length);
    const read = readSync(this.#reader, bytes, 0, slot.length, slot.position);
    if (read !== slot.length) throw new Error(`${this.path} ends before message ${slot.seq}`);
    return bytes;
  }

  #closeReader(): void {
    if (this.#reader !== undefined) closeSync(this.#reader);
    this.#reader = undefined;
  }
}
