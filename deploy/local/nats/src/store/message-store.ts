import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SubjectFilter } from '../routing/subject.js';
import { InFlight } from './in-flight.js';
import { storedSize, type StoredMessage } from './record.js';
import { Segment } from './segment.js';
import { SubjectLog, type Slot } from './slot.js';

/** A segment is closed at this size, or earlier when little of it is live. */
const segmentBytes = 32 * 1024 * 1024;
const sparseSegmentBytes = 4 * 1024 * 1024;

/** The messages of one stream: on disk in segments, in memory only where each one lies. */
export class MessageStore {
  /** Live messages and what they count against the stream's limit. */
  count = 0;
  bytes = 0;
  /** The last sequence given out. */
  lastSeq = 0;
  lastTime = 0;
  readonly #subjects = new Map<string, SubjectLog>();
  readonly #inFlight = new InFlight();
  #segments: Segment[] = [];
  #first = 1;
  #rolling: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  /** Removals on their way to disk. */
  #noted: Promise<unknown> = Promise.resolve();
  #floorMoved = false;
  #closed = false;

  private constructor(
    private readonly folder: string,
    private readonly onError: (error: Error) => void,
  ) {}

  /**
   * Opens or creates the folder and reads every segment. `onMessage` sees each live message, oldest first; an empty store
   * begins behind `firstSeq - 1`. `onError` hears of failures that no caller waits for.
   */
  static async open(
    folder: string,
    firstSeq: number,
    onMessage: (message: StoredMessage) => void,
    onError: (error: Error) => void,
  ): Promise<MessageStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const store = new MessageStore(folder, onError);
    const files = (await readdir(folder)).filter((name) => /^\d+\.log$/.test(name)).sort();
    for (const file of files) await store.#load(file, onMessage);
    store.lastSeq = Math.max(store.lastSeq, firstSeq - 1);
    if (store.#segments.length === 0) await store.#roll();
    store.#applyFloor();
    await store.#dropDead();
    return store;
  }

  /** The sequence of the oldest message; when there is none, the one after the last. */
  get firstSeq(): number {
    return this.#first;
  }

  get firstTime(): number | undefined {
    return this.slot(this.#first)?.time;
  }

  /** Up to here messages are on disk, with no hole before. */
  get committedSeq(): number {
    return this.#inFlight.oldest === undefined ? this.lastSeq : this.#inFlight.oldest - 1;
  }

  get subjectCount(): number {
    return this.#subjects.size;
  }

  subjects(): IterableIterator<SubjectLog> {
    return this.#subjects.values();
  }

  subject(name: string): SubjectLog | undefined {
    return this.#subjects.get(name);
  }

  /** Gives the message the next sequence; `stored` resolves when it and all before it are on disk, or rejects. */
  append(subject: string, header: Buffer | undefined, payload: Buffer): { slot: Slot; stored: Promise<void> } {
    const segment = this.#segments.at(-1)!;
    const time = (this.lastTime = Math.max(Date.now(), this.lastTime));
    const message = { seq: ++this.lastSeq, time, subject, header, payload };
    const { place, written } = segment.append(message);
    const slot = this.#index(message, segment, place.position, place.length);
    if (segment.bytes >= segmentBytes) this.#rollSoon();
    const stored = this.#inFlight.add(message, written);
    stored.catch(() => this.#failed(slot));
    return { slot, stored };
  }

  /** Gives out a sequence that no message will have. */
  skip(): { seq: number; stored: Promise<void> } {
    if (this.#first === this.lastSeq + 1) this.#first++;
    return { seq: ++this.lastSeq, stored: this.#segments.at(-1)!.skipTo(this.lastSeq) };
  }

  slot(seq: number): Slot | undefined {
    return this.#segmentOf(seq)?.slot(seq);
  }

  read(slot: Slot): StoredMessage {
    return this.#inFlight.recent(slot.seq) ?? slot.segment.read(slot);
  }

  /** The first live message at or after `seq` that the filter takes. */
  next(filter: SubjectFilter, seq: number): Slot | undefined {
    if (filter.literals) return this.#nextOf(filter.literals, seq);
    const all = filter.subjects.length === 0;
    for (const slot of this.slots(seq)) if (all || filter.matches(slot.subject.name)) return slot;
    return undefined;
  }

  /** Live messages at or after `seq`, oldest first. */
  *slots(seq = this.#first): Generator<Slot> {
    for (let n = Math.max(0, this.#segmentIndex(seq)); n < this.#segments.length; n++)
      yield* this.#segments[n]!.slots(seq);
  }

  /** How many live messages the filter takes at or after `seq`. */
  countFrom(filter: SubjectFilter, seq: number): number {
    if (filter.subjects.length === 0 && seq <= this.#first) return this.count;
    let count = 0;
    for (const subject of this.#subjects.values()) if (filter.matches(subject.name)) count += subject.countFrom(seq);
    return count;
  }

  /** The last live message that the filter takes. */
  last(filter: SubjectFilter): Slot | undefined {
    let last: Slot | undefined;
    for (const subject of this.#subjects.values()) {
      const slot = filter.matches(subject.name) ? subject.last() : undefined;
      if (slot && slot.seq > (last?.seq ?? 0)) last = slot;
    }
    return last;
  }

  /** Removes a message. That is written down, but nothing waits for it: see `flushed`. */
  remove(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    this.count--;
    this.bytes -= slot.size;
    slot.segment.forget(slot);
    slot.subject.removed();
    if (slot.subject.live === 0) this.#subjects.delete(slot.subject.name);
    if (slot.seq === this.#first) {
      this.#advanceFirst();
      this.#raiseFloor();
    } else {
      this.#note(slot.segment.recordRemoval(slot.seq));
    }
    this.#tidy(slot.segment);
  }

  /** Resolves when every removal so far is on disk. */
  async flushed(): Promise<void> {
    this.#writeFloor();
    await this.#noted;
  }

  /** Removes everything; resolves when that is on disk. A crash before leaves everything. */
  async purge(): Promise<void> {
    for (const slot of [...this.slots()]) this.remove(slot);
    await this.flushed();
  }

  async close(): Promise<void> {
    await this.flushed();
    this.#closed = true;
    await this.#rolling;
    await this.#compacting;
    await Promise.all(this.#segments.map((segment) => segment.close()));
  }

  /** Closes the store and deletes its folder. */
  async destroy(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #load(file: string, onMessage: (message: StoredMessage) => void): Promise<void> {
    const found = new Map<number, { message: StoredMessage; position: number; length: number }>();
    let base: number | undefined;
    const segment = await Segment.open(join(this.folder, file), Number.parseInt(file), (record, position, length) => {
      if (record.kind === 'message') {
        const { seq, time, subject, header, payload } = record.message;
        // Copied, so that the few messages of a segment do not hold the chunks they were read in.
        const message = { seq, time, subject, header: header && Buffer.from(header), payload };
        found.set(seq, { message, position, length });
        this.lastTime = Math.max(this.lastTime, time);
        this.lastSeq = Math.max(this.lastSeq, seq);
      } else if (record.kind === 'removal') {
        found.delete(record.seq);
      } else if (record.kind === 'floor') {
        this.#first = Math.max(this.#first, record.seq);
      } else {
        base ??= record.seq;
        this.lastSeq = Math.max(this.lastSeq, record.seq);
      }
    });
    segment.first = (base ?? 0) + 1;
    this.#segments.push(segment);
    for (const { message, position, length } of found.values()) {
      this.#index(message, segment, position, length);
      onMessage(message);
    }
  }

  #index(message: StoredMessage, segment: Segment, position: number, length: number): Slot {
    const { seq, time, subject, header, payload } = message;
    let log = this.#subjects.get(subject);
    if (!log) this.#subjects.set(subject, (log = new SubjectLog(subject)));
    const size = storedSize(subject, header, payload);
    const slot = { seq, time, size, subject: log, segment, position, length, live: true };
    segment.add(slot);
    log.add(slot);
    this.count++;
    this.bytes += size;
    return slot;
  }

  /** The disk did not take a message. Its file takes no more either, so the next try goes into a new one. */
  #failed(slot: Slot): void {
    this.remove(slot);
    if (slot.segment === this.#segments.at(-1)) this.#rollSoon();
  }

  #nextOf(literals: readonly string[], seq: number): Slot | undefined {
    let next: Slot | undefined;
    for (const literal of literals) {
      const slot = this.#subjects.get(literal)?.next(seq);
      if (slot && (!next || slot.seq < next.seq)) next = slot;
    }
    return next;
  }

  /** Index of the last segment that begins at or before `seq`; -1 when all begin behind it. */
  #segmentIndex(seq: number): number {
    let n = this.#segments.length - 1;
    while (n >= 0 && this.#segments[n]!.first > seq) n--;
    return n;
  }

  #segmentOf(seq: number): Segment | undefined {
    return this.#segments[this.#segmentIndex(seq)];
  }

  #advanceFirst(): void {
    for (const slot of this.slots(this.#first)) {
      this.#first = slot.seq;
      return;
    }
    this.#first = this.lastSeq + 1;
  }

  /** After loading: what lies below the floor is not there. */
  #applyFloor(): void {
    const floor = this.#first;
    this.#first = 0;
    for (const slot of [...this.slots()]) {
      if (slot.seq >= floor) break;
      this.#first = slot.seq;
      this.remove(slot);
    }
    this.#first = floor;
    this.#advanceFirst();
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
    this.#note(this.#segments.at(-1)!.recordFloor(this.#first));
  }

  /** Follows a removal to disk. One that does not get there comes back at the next start, no worse. */
  #note(written: Promise<void>): void {
    this.#noted = Promise.all([this.#noted, written]).catch((error: Error) => this.onError(error));
  }

  #rollSoon(): void {
    this.#rolling ??= this.#roll()
      .catch((error: Error) => this.onError(error))
      .finally(() => (this.#rolling = undefined));
  }

  /** Opens the next segment. Until it is there, messages go into the present one. */
  async #roll(): Promise<void> {
    const number = (this.#segments.at(-1)?.number ?? 0) + 1;
    const segment = await Segment.open(
      join(this.folder, `${String(number).padStart(10, '0')}.log`),
      number,
      () => undefined,
    );
    const started = segment.startAfter(this.lastSeq);
    this.#segments.push(segment);
    await started;
    const before = this.#segments.at(-2);
    if (before) this.#tidy(before);
  }

  /** Gives back the disk space of a segment of which little is left. */
  #tidy(segment: Segment): void {
    if (segment === this.#segments.at(-1)) {
      if (segment.bytes >= sparseSegmentBytes && segment.liveBytes * 4 < segment.bytes) this.#rollSoon();
    } else if (segment.live === 0) {
      void this.#dropDead();
    } else if (segment.liveBytes * 2 < segment.bytes && !this.#compacting) {
      this.#compacting = segment
        .compact()
        // The file may have held the floor that older ones need.
        .then(() => this.#raiseFloor())
        .catch((error: Error) => this.onError(error))
        .finally(() => (this.#compacting = undefined));
    }
  }

  /** Deletes the files of segments that hold nothing any more, the last one excepted. */
  async #dropDead(): Promise<void> {
    const dead = this.#segments.filter((segment, n) => segment.live === 0 && n < this.#segments.length - 1);
    if (dead.length === 0) return;
    this.#segments = this.#segments.filter((segment) => !dead.includes(segment));
    // One of them may have held the floor that older ones need.
    this.#raiseFloor();
    await this.flushed();
    await Promise.all(dead.map((segment) => segment.destroy().catch((error: Error) => this.onError(error))));
  }
}
