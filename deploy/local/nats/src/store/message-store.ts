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
  /** The sequence of the first message of an empty store, default 1. */
  firstSeq?: number | undefined;
  /** Bytes at which a file is closed and the next begun, default 32 MiB. */
  segmentBytes?: number;
  /** Sees each stored message when the store opens, oldest first. */
  onMessage?: (message: StoredMessage) => void;
  /** Opens damaged files too, with every whole message; default false. */
  repair?: boolean | undefined;
  /** Receives failures that no caller waits for, and what was lost when files were opened. */
  onError: (error: Error) => void;
}

interface Place {
  message: StoredMessage;
  position: number;
  length: number;
}

/** The messages of one stream: on disk in segments, in memory only where each one lies. */
export class MessageStore {
  /** Live messages and what they count against the stream's limit. */
  count = 0;
  bytes = 0;
  /** The last sequence given out. */
  lastSeq = 0;
  lastTime = 0;
  /** The live messages by subject. */
  readonly subjects = new SubjectIndex();
  readonly #segments: Segments;
  readonly #inFlight = new InFlight();
  #first = 1;
  /** Removals on their way to disk. */
  #noted: Promise<unknown> = Promise.resolve();
  #floorMoved = false;
  #closed = false;

  private constructor(private readonly options: StoreOptions) {
    const { folder, segmentBytes = 32 * 1024 * 1024, onError } = options;
    // Whatever file has gone may have held the floor that older ones need.
    const onShrunk = (): void => this.#raiseFloor();
    this.#segments = new Segments(folder, segmentBytes, () => this.lastSeq, onShrunk, onError);
  }

  /**
   * Opens or creates the folder and reads every segment. Rejects when that cannot be done, and with DamagedLogError when a
   * file is damaged in the middle, unless `repair` is set.
   */
  static async open(options: StoreOptions): Promise<MessageStore> {
    const store = new MessageStore(options);
    const isComplete = await store.#load(options.onMessage ?? (() => undefined));
    store.lastSeq = Math.max(store.lastSeq, (options.firstSeq ?? 1) - 1);
    await store.#segments.ensure();
    store.#applyFloor();
    // The lost record may have been the last message.
    if (!isComplete) await store.skipTo(store.lastSeq + 1);
    await store.#segments.dropDead();
    return store;
  }

  /** Never gives out a sequence up to `seq` again. Resolves when that is on disk, or was reported as a failure. */
  async skipTo(seq: number): Promise<void> {
    if (seq <= this.lastSeq) return;
    if (this.#first === this.lastSeq + 1) this.#first = seq + 1;
    this.lastSeq = seq;
    this.#note(this.#segments.active.skipTo(seq));
    await this.#noted;
  }

  /** The sequence of the oldest message; when there is none, the one after the last. */
  get firstSeq(): number {
    return this.#first;
  }

  /** The oldest message. */
  get first(): Slot | undefined {
    return this.slot(this.#first);
  }

  /** Up to here messages are on disk, with no hole before. */
  get committedSeq(): number {
    return this.#inFlight.oldest === undefined ? this.lastSeq : this.#inFlight.oldest - 1;
  }

  /** Gives the message the next sequence; `stored` resolves when it and all before it are on disk, or rejects. */
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

  /** Gives out a sequence that no message will have. */
  skip(): { seq: number; stored: Promise<void> } {
    if (this.#first === this.lastSeq + 1) this.#first++;
    return { seq: ++this.lastSeq, stored: this.#segments.active.skipTo(this.lastSeq) };
  }

  /** The live message of this sequence. */
  slot(seq: number): Slot | undefined {
    return this.#segments.slot(seq);
  }

  /** Live messages at or after `seq`, oldest first. */
  slots(seq = this.#first): Generator<Slot> {
    return this.#segments.slots(seq);
  }

  /** Reads a message back. Throws when the file does not hold it any more. */
  read(slot: Slot): StoredMessage {
    return this.#inFlight.recent(slot.seq) ?? slot.segment.read(slot);
  }

  /** The first live message at or after `seq` that the filter takes. */
  next(filter: SubjectFilter, seq: number): Slot | undefined {
    if (filter.literals) return this.subjects.next(filter.literals, seq);
    const all = filter.subjects.length === 0;
    for (const slot of this.slots(seq)) if (all || filter.matches(slot.subject.name)) return slot;
    return undefined;
  }

  /** How many live messages the filter takes at or after `seq`. */
  countFrom(filter: SubjectFilter, seq: number): number {
    if (filter.subjects.length === 0 && seq <= this.#first) return this.count;
    return this.subjects.countFrom(filter, seq);
  }

  /** The last live message that the filter takes. */
  last(filter: SubjectFilter): Slot | undefined {
    let last: Slot | undefined;
    for (const slot of this.subjects.lasts(filter)) if (slot.seq > (last?.seq ?? 0)) last = slot;
    return last;
  }

  /** Removes a message. That is written down, but nothing waits for it: see `flushed`. */
  remove(slot: Slot): void {
    if (!slot.live) return;
    this.#forget(slot);
    if (slot.seq === this.#first) {
      this.#advanceFirst();
      this.#raiseFloor();
    } else {
      this.#note(slot.segment.recordRemoval(slot.seq));
    }
    this.#segments.tidy(slot.segment);
  }

  /**
   * Writes to disk that these messages are removed; `remove` them then. Rejects when the disk refuses that, and nothing has
   * changed.
   */
  async recordRemovals(slots: readonly Slot[]): Promise<void> {
    for (const segment of new Set(slots.map((slot) => slot.segment))) await segment.recover();
    await Promise.all(slots.map(({ segment, seq }) => segment.recordRemoval(seq)));
  }

  /** Writes to disk that every message before `seq` is removed; `remove` them then. Rejects as `recordRemovals`. */
  async recordFloor(seq: number): Promise<void> {
    await this.#segments.active.recover();
    await this.#segments.active.recordFloor(seq);
  }

  /** Resolves when every removal so far is on disk. */
  async flushed(): Promise<void> {
    this.#writeFloor();
    await this.#noted;
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

  /** Reads every file. Returns false when some were not whole. */
  async #load(onMessage: (message: StoredMessage) => void): Promise<boolean> {
    let places = new Map<number, Place>();
    let base: number | undefined;
    let before = 0;
    let isComplete = true;
    const onRecord = (record: SegmentRecord, position: number, length: number): void => {
      if (record.kind === 'message') {
        const { message } = record;
        places.set(message.seq, { message, position, length });
        this.lastTime = Math.max(this.lastTime, message.time);
        this.lastSeq = Math.max(this.lastSeq, message.seq);
      } else if (record.kind === 'removal') {
        places.delete(record.seq);
      } else if (record.kind === 'floor') {
        this.#first = Math.max(this.#first, record.seq);
      } else {
        base ??= record.seq;
        this.lastSeq = Math.max(this.lastSeq, record.seq);
      }
    };
    const onLoaded = (segment: Segment): void => {
      // The base record can be lost, and messages can have gone into the file before while this one was created.
      const [lowest = Infinity] = places.keys();
      segment.first = Math.min(lowest, Math.max(base ?? 0, before) + 1);
      for (const place of places.values()) {
        this.#index(place, segment);
        onMessage(place.message);
      }
      places = new Map();
      base = undefined;
      before = this.lastSeq;
    };
    const onLoss = ({ message }: Loss): void => {
      isComplete = false;
      this.options.onError(new Error(message));
    };
    await this.#segments.load(onRecord, onLoaded, { onLoss, repair: this.options.repair ?? false });
    return isComplete;
  }

  #index({ message, position, length }: Place, segment: Segment): Slot {
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

  /** The disk refused a message. Its file accepts no more, so later ones go into a new file. */
  #failed(slot: Slot): void {
    this.#forget(slot);
    if (slot.seq === this.#first) this.#advanceFirst();
    if (slot.segment === this.#segments.active) void this.#segments.replaceFailed();
  }

  /** After loading: what lies below the floor is not there. */
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

  /** The oldest messages go one after the other: one record, in the file that is written anyway, stands for many. */
  #raiseFloor(): void {
    if (this.#floorMoved) return;
    this.#floorMoved = true;
    setImmediate(() => this.#writeFloor());
  }

  #writeFloor(): void {
    if (!this.#floorMoved || this.#closed) return;
    this.#floorMoved = false;
    this.#note(this.#segments.active.recordFloor(this.#first));
  }

  #forget(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    this.count--;
    this.bytes -= slot.size;
    slot.segment.forget(slot);
    this.subjects.removed(slot.subject);
  }

  /** Follows a removal to disk. One that does not get there comes back at the next start, no worse. */
  #note(written: Promise<void>): void {
    this.#noted = Promise.all([this.#noted, written]).catch(this.options.onError);
  }
}
