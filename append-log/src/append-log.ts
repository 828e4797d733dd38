import type { FileHandle } from 'node:fs/promises';
import { Compaction } from './compaction.js';
import type { Loss } from './damage.js';
import { disk } from './disk.js';
import { defaultMaxRecordBytes, frameHeader, headerBytes } from './frame.js';
import { openFile } from './open-file.js';
import { replay } from './replay.js';

export interface OpenOptions {
  /**
   * Called once per whole record, oldest first, while the log is opened. The buffer may be kept; it is a view into the
   * 4 MiB that were read at once, so copy it to keep a few records out of many.
   */
  onRecord(payload: Buffer): void;
  /**
   * Called when opening removed something that was not a whole record: a tail that a crash left incomplete, or what a
   * repair could not keep. Report `message`.
   */
  onLoss(loss: Loss): void;
  /**
   * Opens a log with damage in the middle: a copy of the file is kept, and every whole record for which `onRecord` does
   * not throw stays. Default false: such a log is refused.
   */
  repair?: boolean;
  /** The records that a new file begins with: the file exists with all of them or not at all. */
  initial?: readonly Uint8Array[];
  /** Each group is on disk before it is acknowledged (default true). Without it a record survives a kill, not a power loss. */
  sync?: boolean;
  /**
   * Called when the disk is full. Returns whether it made room: then the write is tried once more, so that nothing is
   * refused.
   */
  makeRoom?: () => Promise<boolean>;
  /** Maximum bytes of one record, default 64 MiB. A larger length in the file is damage. */
  maxRecordBytes?: number;
}

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** The records that leave together in one write and one sync. */
interface Group {
  buffers: Uint8Array[];
  waiting: Waiting[];
}

/** Whether a write failed for want of space. One that was cut short has no code. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean =>
  code === undefined || code === 'ENOSPC' || code === 'EDQUOT';

const emptyGroup = (): Group => ({ buffers: [], waiting: [] });

/** An append-only file of checksummed records, with compaction. One process may have it open at a time. */
export class AppendLog {
  readonly #path: string;
  readonly #sync: boolean;
  readonly #maxRecordBytes: number;
  readonly #makeRoom: () => Promise<boolean>;
  #handle: FileHandle;
  /** Bytes in the file. */
  #written: number;
  /** Bytes in the file and in the queue. */
  #size: number;
  #queue = emptyGroup();
  #scheduled = false;
  /** Serializes all writes: groups, the last step of a compaction, recovery. */
  #turn: Promise<void> = Promise.resolve();
  #compacting: Promise<void> | undefined;
  #failure: Error | undefined;
  #closed = false;

  private constructor(path: string, handle: FileHandle, written: number, options: OpenOptions) {
    this.#path = path;
    this.#handle = handle;
    this.#written = written;
    this.#size = written;
    this.#sync = options.sync ?? true;
    this.#maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
    this.#makeRoom = options.makeRoom ?? (async () => false);
  }

  /**
   * Opens or creates the file and replays its whole records. A torn tail is kept in a file beside it, cut off, and
   * reported to `onLoss`. Throws DamagedLogError when whole records follow a damaged one, unless `repair` is set.
   * Rejects as well when the file cannot be opened or is not a log, or when `onRecord` throws. The file is unchanged then.
   */
  static async open(path: string, options: OpenOptions): Promise<AppendLog> {
    const { maxRecordBytes = defaultMaxRecordBytes, initial = [], repair = false } = options;
    const onRecord = (payload: Buffer): void => options.onRecord(payload);
    const onLoss = (loss: Loss): void => options.onLoss(loss);
    const length = await openFile({ path, maxRecordBytes, initial, repair, onRecord, onLoss });
    return new AppendLog(path, await disk.openToAppend(path, options.sync ?? true), length, options);
  }

  /** Bytes of the file and of the records in the queue: also where the next record will begin. */
  get size(): number {
    return this.#size;
  }

  /** True from the first refused append until `recover` succeeds. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Queues one record. Resolves when it and all before it are on disk. Records queued during a write leave together in the
   * next write and sync. The bytes must not change until then. Rejects with RangeError when the record is too large. When
   * the disk fails, this and every later append rejects until `recover` succeeds; refused records are removed again.
   */
  append(payload: Uint8Array): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error(`${this.#path} is closed`));
    if (payload.length > this.#maxRecordBytes) return Promise.reject(this.#tooLarge(payload));
    this.#queue.buffers.push(frameHeader(payload), payload);
    this.#size += headerBytes + payload.length;
    return new Promise((resolve, reject) => {
      this.#queue.waiting.push({ resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Replaces the contents. `snapshot` yields the records that stand for everything appended before this call (it is read
   * over time, so it must walk a view that later appends do not change); records appended while it runs are kept after
   * them. A crash at any moment leaves the old contents or the new, with every acknowledged record. Rejects, and changes
   * nothing, when the snapshot throws, the disk refuses the new file, or another compaction is under way.
   */
  compact(snapshot: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error(`${this.#path} is closed`));
    if (this.#compacting) return Promise.reject(new Error(`${this.#path} is being compacted already`));
    // What is queued now belongs to the old contents: it has to be out of the queue before the files change places.
    const flushed = (this.#turn = this.#turn.then(() => this.#flush()));
    this.#compacting = this.#compact(snapshot, this.#size, flushed).finally(() => (this.#compacting = undefined));
    return this.#compacting;
  }

  /**
   * Accepts appends again after the disk refused one. Passes every acknowledged record to `onRecord`, oldest first, so that
   * the caller can give up what it derived from refused ones. Rejects, and changes nothing, while the disk still fails.
   */
  async recover(onRecord: (payload: Buffer) => void): Promise<void> {
    if (this.#closed) throw new Error(`${this.#path} is closed`);
    // One that began before the failure may hold refused records. It fails while the failure is set.
    await this.#compacting?.catch(() => undefined);
    const turn = this.#turn.then(() => this.#recover(onRecord));
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  /** Flushes what is queued, waits for a compaction, and closes the file. Rejects when the last flush failed. */
  async close(): Promise<void> {
    if (this.#closed) return this.#turn;
    this.#closed = true;
    await this.#compacting?.catch(() => undefined);
    this.#turn = this.#turn.then(() => this.#flush()).finally(() => this.#handle.close());
    await this.#turn;
    if (this.#failure) throw this.#failure;
  }

  #tooLarge(payload: Uint8Array): RangeError {
    return new RangeError(
      `a record of ${payload.length} bytes is over the ${this.#maxRecordBytes} that ${this.#path} takes`,
    );
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Not at once: what the same turn of the event loop appends joins the group.
    setImmediate(() => {
      this.#turn = this.#turn.then(() => this.#flush());
    });
  }

  /** Writes the queue as one group. Never rejects: a failure rejects the waiting appends and all later ones. */
  async #flush(): Promise<void> {
    const { buffers, waiting } = this.#queue;
    this.#queue = emptyGroup();
    this.#scheduled = false;
    if (waiting.length === 0) return;
    try {
      if (this.#failure) throw this.#failure;
      this.#written += await this.#write(buffers);
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      this.#failure ??= await this.#refused(error as Error);
      for (const { reject } of waiting) reject(this.#failure);
    }
  }

  async #write(buffers: Uint8Array[]): Promise<number> {
    const write = () => disk.append(this.#handle, buffers, this.#written, this.#sync);
    try {
      return await write();
    } catch (error) {
      if (!isFull(error as NodeJS.ErrnoException) || !(await this.#makeRoom())) throw error;
      return write();
    }
  }

  /** Removes what a failed write left, so that no refused record is found at the next open. */
  async #refused(error: Error): Promise<Error> {
    // Set before the first wait: nothing may be written behind the partial group.
    this.#failure = new Error(`cannot write ${this.#path}: ${error.message}`, { cause: error });
    // If this fails too, `recover` repeats it before anything else is written.
    await this.#cutRefused().catch(() => undefined);
    return this.#failure;
  }

  async #cutRefused(): Promise<void> {
    await disk.truncate(this.#handle, this.#written);
    await disk.sync(this.#handle);
  }

  async #recover(onRecord: (payload: Buffer) => void): Promise<void> {
    await this.#cutRefused();
    await disk.syncDirectory(this.#path);
    await replay(this.#handle, this.#maxRecordBytes, onRecord);
    this.#size = this.#written;
    this.#failure = undefined;
  }

  async #compact(
    snapshot: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    mark: number,
    flushed: Promise<void>,
  ): Promise<void> {
    await flushed;
    const next = await Compaction.begin(`${this.#path}.next`, mark);
    try {
      for await (const payload of snapshot) {
        if (payload.length > this.#maxRecordBytes) throw this.#tooLarge(payload);
        await next.add(payload);
      }
      // Most of the work and the long sync are done while appends go on.
      await next.catchUp(this.#handle, this.#written);
      await disk.sync(next.handle);
    } catch (error) {
      await next.discard();
      throw error;
    }
    const turn = this.#turn.then(() => this.#replaceBy(next));
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  /** The last step, between two groups: nothing is appended to the old file any more while it runs. */
  async #replaceBy(next: Compaction): Promise<void> {
    const old = this.#handle;
    let appending: FileHandle;
    try {
      if (this.#failure) throw this.#failure;
      await next.catchUp(old, this.#written);
      appending = await next.finish(this.#path, this.#sync);
    } catch (error) {
      await next.discard();
      throw error;
    }
    this.#size += next.size - this.#written;
    this.#written = next.size;
    this.#handle = appending;
    try {
      await disk.syncDirectory(this.#path);
    } catch (error) {
      // Which file a power cut would leave is unknown now, so nothing more may be acknowledged.
      this.#failure = new Error(`cannot sync the folder of ${this.#path}: ${(error as Error).message}`, {
        cause: error,
      });
      throw this.#failure;
    } finally {
      await old.close();
      await next.handle.close();
    }
  }
}
