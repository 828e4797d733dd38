import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SegmentRecord } from './record.js';
import { Segment, type DamagePolicy } from './segment.js';
import type { Slot } from './slot.js';

/** If less than a quarter of the last file is live, the next one is started at `segmentBytes / sparseDivisor`. */
const sparseDivisor = 8;

/** Interval in ms between attempts to create a new file after a failed write. */
const retryEvery = 500;

/** The segment files of a stream, oldest first. Creates new files and reclaims the space of old ones. */
export class Segments {
  #all: Segment[] = [];
  #rolling: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #deleting: Promise<void> = Promise.resolve();
  #closing = false;
  /** File that is being replaced because a write to it failed. */
  #replacing: Segment | undefined;

  /**
   * `segmentBytes` is the size at which the next file is started. `lastSeq` returns the last assigned sequence number,
   * `floor` the sequence number of the oldest message. `onError` receives the errors of work that no caller awaits.
   */
  constructor(
    private readonly folder: string,
    private readonly segmentBytes: number,
    private readonly lastSeq: () => number,
    private readonly floor: () => number,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Segment for new messages. */
  get active(): Segment {
    return this.#all.at(-1)!;
  }

  /** Opens all files. `onRecord` receives every record, `onLoaded` every file after it was read. */
  async load(
    onRecord: (record: SegmentRecord, position: number, length: number) => void,
    onLoaded: (segment: Segment) => void,
    damage: DamagePolicy,
  ): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const files = (await readdir(this.folder)).filter((name) => /^\d+\.log$/.test(name)).sort();
    for (const file of files) {
      const segment = await Segment.open(join(this.folder, file), Number.parseInt(file), onRecord, damage);
      this.#all.push(segment);
      onLoaded(segment);
    }
  }

  /** Creates the first file if there is none. */
  async ensure(): Promise<void> {
    if (this.#all.length === 0) await this.#roll();
  }

  /** Returns the message with sequence `seq`, if it is live. */
  slot(seq: number): Slot | undefined {
    return this.#all[this.#indexOf(seq)]?.slot(seq);
  }

  /** Iterates over live messages from `seq`, oldest first. */
  *slots(seq: number): Generator<Slot> {
    for (let n = Math.max(0, this.#indexOf(seq)); n < this.#all.length; n++) yield* this.#all[n]!.slots(seq);
  }

  /** Starts the next file, or deletes or compacts this one, if necessary. */
  tidy(segment: Segment): void {
    const { bytes, live, liveBytes, compactedBytes } = segment;
    if (segment === this.active) {
      const sparse = bytes >= this.segmentBytes / sparseDivisor && liveBytes * 4 < bytes;
      if (bytes >= this.segmentBytes || sparse) this.rollSoon();
    } else if (live === 0) {
      void this.deleteEmpty();
    } else if (compactedBytes * 2 < bytes) {
      this.#compacting ??= this.#compact(segment);
    }
  }

  /** Compacts a file, then checks the others, because only one file is compacted at a time. */
  async #compact(segment: Segment): Promise<void> {
    try {
      await segment.recover();
      await segment.compact(this.floor);
    } catch (error) {
      this.#compacting = undefined;
      return this.onError(error as Error);
    }
    this.#compacting = undefined;
    if (this.#closing) return;
    for (const each of this.#all) if (each !== this.active) this.tidy(each);
  }

  /** Creates the next file. Until it exists, messages are written to the current one. */
  rollSoon(): void {
    this.#rolling ??= this.#roll()
      .catch(this.onError)
      .finally(() => (this.#rolling = undefined));
  }

  /** Replaces a failed file as soon as the disk accepts writes. */
  async replaceFailed(): Promise<void> {
    const failed = this.active;
    if (this.#replacing === failed) return;
    this.#replacing = failed;
    while (this.active === failed && !this.#closing) {
      this.rollSoon();
      await this.#rolling;
      if (this.active === failed) await new Promise((resolve) => setTimeout(resolve, retryEvery).unref());
    }
    // Removals are still recorded in the replaced file.
    if (!this.#closing && this.#all.includes(failed)) await failed.recover().catch(this.onError);
  }

  /** Deletes files without live messages, except the last file. */
  deleteEmpty(): Promise<void> {
    this.#deleting = this.#deleting.then(() => this.#deleteEmpty()).catch(this.onError);
    return this.#deleting;
  }

  async #deleteEmpty(): Promise<void> {
    const empty = this.#all.filter((segment) => segment.live === 0 && segment !== this.active);
    // An older file that remains may need the floor record of a deleted file, so write a new floor record.
    const isFloorNeeded = empty.some((segment, n) => segment !== this.#all[n]);
    if (isFloorNeeded) await this.active.recordFloor(this.floor());
    this.#all = this.#all.filter((segment) => !empty.includes(segment));
    for (const segment of empty) await segment.destroy().catch(this.onError);
  }

  /** Waits for pending work and closes the files. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#rolling;
    await this.#compacting;
    await this.#deleting;
    // Repeats a recovery that the closing interrupted. If the disk still fails, closing the file reports it.
    for (const each of this.#all) if (each !== this.active) await each.recover().catch(() => undefined);
    const closed = await Promise.allSettled(this.#all.map((segment) => segment.close()));
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }

  async #roll(): Promise<void> {
    const before = this.#all.at(-1);
    const number = (before?.number ?? 0) + 1;
    const path = join(this.folder, `${String(number).padStart(10, '0')}.log`);
    const base = this.lastSeq();
    const segment = await Segment.create(path, number, base);
    // Messages that arrived in the meantime are in the previous file.
    const last = this.lastSeq();
    const skipWritten = last > base ? segment.skipTo(last) : undefined;
    segment.first = last + 1;
    this.#all.push(segment);
    await skipWritten;
    if (before) this.tidy(before);
  }

  /** Returns the index of the last file that starts at or before `seq`, or -1. */
  #indexOf(seq: number): number {
    let n = this.#all.length - 1;
    while (n >= 0 && this.#all[n]!.first > seq) n--;
    return n;
  }
}
