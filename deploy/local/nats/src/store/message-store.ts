import { rm } from 'node:fs/promises';
import type { Loss } from '@tautan/append-log';
import type { SubjectFilter } from '../routing/subject.js';
import { InFlight } from './in-flight.js';
import { storedSize, type SegmentRecord, type StoredMessage } from './record.js';
import type { Segment } from './segment.js';
import { Segments } from './segments.js';
import type { Slot } from './slot.js';
import { SubjectIndex } from './subject-index.js';

export interface StoreOptions {
  folder: string;
  /** Sequence of the first message of an empty store. Default: 1. */
  firstSeq?: number | undefined;
  /** Size of a segment file in bytes. Default: 32 MiB. */
  segmentBytes?: number;
  /** Called for each stored message when the store opens, oldest first. */
  onMessage?: (message: StoredMessage) => void;
  /** Whether to repair corrupt files, keeping all valid messages. Default: false. */
  repair?: boolean | undefined;
  /** Receives failures that no caller awaits, and losses found when opening files. */
  onError: (error: Error) => void;
}

interface LocatedMessage {
  message: StoredMessage;
  position: number;
  length: number;
}

/**
 * The messages of a stream, stored in segment files. Memory holds the positions of all messages, but only the most
 * recent messages themselves.
 */
export class MessageStore {
  /** Number of live messages, and their total size as counted for `max_bytes`. */
  count = 0;
  bytes = 0;
  /** Last assigned sequence. */
  lastSeq = 0;
  lastTime = 0;
  /** Live messages by subject. */
  readonly subjects = new SubjectIndex();
  readonly #segments: Segments;
  readonly #inFlight = new InFlight();
  #first = 1;
  /** Resolves when the removals and skips that are being written are on disk or have failed. */
  #pendingRemovals: Promise<unknown> = Promise.resolve();
  /** Whether a floor record must be written. See `SegmentRecord`. */
  #floorMoved = false;
  #closed = false;

  private constructor(private readonly options: StoreOptions) {
    const { folder, segmentBytes = 32 * 1024 * 1024, onError } = options;
    const [lastSeq, floor] = [(): number => this.lastSeq, (): number => this.#first];
    this.#segments = new Segments(folder, segmentBytes, lastSeq, floor, onError);
  }

  /**
   * Opens or creates the folder and reads every segment. Rejects with DamagedLogError if a file is damaged in
   * the middle, unless `repair` is set.
   */
  static async open(options: StoreOptions): Promise<MessageStore> {
    const store = new MessageStore(options);
    const isComplete = await store.#load(options.onMessage ?? (() => undefined));
    store.lastSeq = Math.max(store.lastSeq, (options.firstSeq ?? 1) - 1);
    await store.#segments.ensure();
    store.#applyFloor();
    // The lost record may have been the last message.
    if (!isComplete) await store.skipTo(store.lastSeq + 1);
    await store.#segments.deleteEmpty();
    return store;
  }

  /** Skips all sequences up to `seq`. Resolves when the skip is on disk or its failure has been reported. */
  async skipTo(seq: number): Promise<void> {
    if (seq <= this.lastSeq) return;
    if (this.#first === this.lastSeq + 1) this.#first = seq + 1;
    this.lastSeq = seq;
    this.#track(this.#segments.active.skipTo(seq));
    await this.#pendingRemovals;
  }

  /** Sequence of the oldest message, or `lastSeq + 1` if the store is empty. */
  get firstSeq(): number {
    return this.#first;
  }

  /** Oldest message. */
  get first(): Slot | undefined {
    return this.slot(this.#first);
  }

  /** Last sequence up to which all messages are on disk. */
  get committedSeq(): number {
    return this.#inFlight.oldest === undefined ? this.lastSeq : this.#inFlight.oldest - 1;
  }

  /**
   * Assigns the next sequence to a message. `stored` resolves when the message is on disk and every earlier message is
   * on disk or has failed.
   */
  append(subject: string, header: Buffer | undefined, payload: Buffer): { slot: Slot; stored: Promise<void> } {
    const segment = this.#segments.active;
    const time = (this.lastTime = Math.max(Date.now(), this.lastTime));
    const message = { seq: ++this.lastSeq, time, subject, header, payload };
    const { place, written } = segment.append(message);
    const slot = this.#index({ message, ...place }, segment);
    this.#segments.tidy(segment);
    const stored = this.#inFlight.add(message, written);
    stored.catch(() => this.#failed(slot));
    return { slot, stored };
  }

  /** Skips the next sequence. `stored` resolves when the skip is on disk. */
  skip(): { seq: number; stored: Promise<void> } {
    if (this.#first === this.lastSeq + 1) this.#first++;
    return { seq: ++this.lastSeq, stored: this.#segments.active.skipTo(this.lastSeq) };
  }

  /** Returns the live message with the sequence `seq`, if there is one. */
  slot(seq: number): Slot | undefined {
    return this.#segments.slot(seq);
  }

  /** Iterates over live messages from `seq`, oldest first. */
  slots(seq = this.#first): Generator<Slot> {
    return this.#segments.slots(seq);
  }

  /** Returns a message from memory or disk. Throws if its file no longer contains it. */
  read(slot: Slot): StoredMessage {
    return this.#inFlight.get(slot.seq) ?? slot.segment.read(slot);
  }

  /** Returns the first live message from `seq` that matches a filter. */
  next(filter: SubjectFilter, seq: number): Slot | undefined {
    if (filter.literals) return this.subjects.next(filter.literals, seq);
    const all = filter.subjects.length === 0;
    for (const slot of this.slots(seq)) if (all || filter.matches(slot.subject.name)) return slot;
    return undefined;
  }

  /** Returns the number of live messages from `seq` that match a filter. */
  countFrom(filter: SubjectFilter, seq: number): number {
    if (filter.subjects.length === 0 && seq <= this.#first) return this.count;
    return this.subjects.countFrom(filter, seq);
  }

  /** Returns the last live message that matches a filter. */
  last(filter: SubjectFilter): Slot | undefined {
    let last: Slot | undefined;
    for (const slot of this.subjects.lasts(filter)) if (slot.seq > (last?.seq ?? 0)) last = slot;
    return last;
  }

  /** Removes a message without waiting until the removal is on disk. See `flushed`. */
  remove(slot: Slot): void {
    if (!slot.live) return;
    this.#forget(slot);
    if (slot.seq === this.#first) {
      this.#advanceFirst();
      this.#raiseFloor();
    } else {
      this.#track(slot.segment.recordRemoval(slot.seq));
    }
    this.#segments.tidy(slot.segment);
  }

  /**
   * Durably records the removal of these messages. Returns the messages whose removal was recorded, for which `remove`
   * must be called, and the first error, if any. Rejects without an effect if a failed file cannot recover.
   */
  async recordRemovals(slots: readonly Slot[]): Promise<{ recorded: Slot[]; error?: Error }> {
    for (const segment of new Set(slots.map((slot) => slot.segment))) await segment.recover();
    const results = await Promise.allSettled(slots.map(({ segment, seq }) => segment.recordRemoval(seq)));
    const recorded = slots.filter((_, n) => results[n]!.status === 'fulfilled');
    const failed = results.find((result) => result.status === 'rejected');
    return failed ? { recorded, error: failed.reason as Error } : { recorded };
  }

  /**
   * Durably records the removal of every message before `seq`; call `remove` afterwards. Rejects without an effect if
   * the write fails.
   */
  async recordFloor(seq: number): Promise<void> {
    await this.#segments.active.recover();
    await this.#segments.active.recordFloor(seq);
  }

  /** Resolves when every removal so far is on disk or its failure has been reported. */
  async flushed(): Promise<void> {
    this.#writeFloor();
    await this.#pendingRemovals;
  }

  /** Flushes and closes the files. */
  async close(): Promise<void> {
    await this.flushed();
    this.#closed = true;
    await this.#segments.close();
  }

  /** Closes the store and deletes its folder. */
  async destroy(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.options.folder, { recursive: true, force: true });
  }

  /** Reads every file. Returns false if records were lost. */
  async #load(onMessage: (message: StoredMessage) => void): Promise<boolean> {
    let located = new Map<number, LocatedMessage>();
    let base: number | undefined;
    let previousLastSeq = 0;
    let isComplete = true;
    const onRecord = (record: SegmentRecord, position: number, length: number): void => {
      if (record.kind === 'message') {
        const { message } = record;
        located.set(message.seq, { message, position, length });
        this.lastTime = Math.max(this.lastTime, message.time);
        this.lastSeq = Math.max(this.lastSeq, message.seq);
      } else if (record.kind === 'removal') {
        located.delete(record.seq);
      } else if (record.kind === 'floor') {
        this.#first = Math.max(this.#first, record.seq);
        // The messages before the floor may not have been written.
        this.lastSeq = Math.max(this.lastSeq, record.seq - 1);
      } else {
        base ??= record.seq;
        this.lastSeq = Math.max(this.lastSeq, record.seq);
      }
    };
    const onLoaded = (segment: Segment): void => {
      // The base record alone is not sufficient: it can be lost, and messages may have been written to the previous
      // file while this one was created.
      const [lowest = Infinity] = located.keys();
      segment.first = Math.min(lowest, Math.max(base ?? 0, previousLastSeq) + 1);
      for (const each of located.values()) {
        this.#index(each, segment);
        onMessage(each.message);
      }
      located = new Map();
      base = undefined;
      previousLastSeq = this.lastSeq;
    };
    const onLoss = ({ message }: Loss): void => {
      isComplete = false;
      this.options.onError(new Error(message));
    };
    await this.#segments.load(onRecord, onLoaded, { onLoss, repair: this.options.repair ?? false });
    return isComplete;
  }

  #index({ message, position, length }: LocatedMessage, segment: Segment): Slot {
    const { seq, time, subject, header, payload } = message;
    const log = this.subjects.ensure(subject);
    const size = storedSize(subject, header, payload);
    const slot = { seq, time, size, subject: log, segment, position, length, live: true };
    segment.add(slot);
    log.add(slot);
    this.count++;
    this.bytes += size;
    return slot;
  }

  /** Handles a failed write. The file accepts no more messages, so later ones are written to a new file. */
  #failed(slot: Slot): void {
    this.#forget(slot);
    if (slot.seq === this.#first) this.#advanceFirst();
    if (slot.segment === this.#segments.active) void this.#segments.replaceFailed();
  }

  /** Removes the messages below the floor after loading. */
  #applyFloor(): void {
    const floor = this.#first;
    for (const slot of [...this.slots(0)]) {
      if (slot.seq >= floor) break;
      this.#first = slot.seq;
      this.remove(slot);
    }
    this.#first = floor;
    this.#advanceFirst();
  }

  #advanceFirst(): void {
    for (const slot of this.slots()) {
      this.#first = slot.seq;
      return;
    }
    this.#first = this.lastSeq + 1;
  }

  /** Schedules a floor record in the current file. The record says that all messages before `#first` were removed. */
  #raiseFloor(): void {
    if (this.#floorMoved) return;
    this.#floorMoved = true;
    setImmediate(() => this.#writeFloor());
  }

  #writeFloor(): void {
    if (!this.#floorMoved || this.#closed) return;
    this.#floorMoved = false;
    this.#track(this.#segments.active.recordFloor(this.#first));
  }

  #forget(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    this.count--;
    this.bytes -= slot.size;
    slot.segment.forget(slot);
    this.subjects.removed(slot.subject);
  }

  /**
   * Adds a write to the pending removals and reports its failure. A message whose removal could not be written
   * reappears at the next start.
   */
  #track(written: Promise<void>): void {
    this.#pendingRemovals = Promise.all([this.#pendingRemovals, written]).catch(this.options.onError);
  }
}
