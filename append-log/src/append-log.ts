import type { FileHandle } from 'node:fs/promises';
import { Compaction } from './compaction.js';
import type { Loss } from './damage.js';
import { disk } from './disk.js';
import { defaultMaxPayloadBytes, frameHeader, headerBytes } from './frame.js';
import { openFile } from './open-file.js';
import { replay } from './replay.js';

export interface OpenOptions {
  /**
   * Called once per complete record, oldest first, while the log is opened. The payload stays valid, but it is a view
   * into a 4 MiB buffer. If you keep only some of the records, copy them, so that the buffers can be freed.
   */
  onRecord(payload: Buffer): void;
  /**
   * Called after `open` has removed data: a torn tail after a crash, or records that a repair could not preserve.
   * The callback should log `loss.message`.
   */
  onLoss(loss: Loss): void;
  /**
   * Whether to repair a log that is damaged in the middle: the file is copied, and every complete record is preserved,
   * except records after the damage for which `onRecord` throws. By default such a log is rejected.
   */
  repair?: boolean;
  /** The first records of a new file. It is created with all of them or not at all. */
  initial?: readonly Uint8Array[];
  /**
   * Whether records are synced to disk before their appends resolve (default true). Otherwise they survive a crash of
   * the process, but not a power loss before the next `sync`.
   */
  sync?: boolean;
  /** Called when the disk is full. If it returns true, space was freed, and the write is retried once. */
  makeRoom?: () => Promise<boolean>;
  /** Maximum bytes of one payload, default 64 MiB. A record in the file that declares a larger length is damaged. */
  maxPayloadBytes?: number;
}

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Records that are written and synced together. */
interface Group {
  buffers: Uint8Array[];
  waiting: Waiting[];
}

/** Returns whether a write failed because the disk is full. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

const emptyGroup = (): Group => ({ buffers: [], waiting: [] });

/** An append-only file of checksummed records, with compaction. One process may have it open at a time. */
export class AppendLog {
  readonly #path: string;
  readonly #sync: boolean;
  readonly #maxPayloadBytes: number;
  readonly #makeRoom: () => Promise<boolean>;
  #handle: FileHandle;
  /** Bytes in the file. */
  #written: number;
  /** Bytes in the file and in the queue. */
  #size: number;
  #queue = emptyGroup();
  #scheduled = false;
  /** Serializes all writes: groups, the last step of a compaction, and recovery. */
  #writes: Promise<void> = Promise.resolve();
  #compacting: Promise<void> | undefined;
  #failure: Error | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  private constructor(path: string, handle: FileHandle, written: number, options: OpenOptions) {
    this.#path = path;
    this.#handle = handle;
    this.#written = written;
    this.#size = written;
    this.#sync = options.sync ?? true;
    this.#maxPayloadBytes = options.maxPayloadBytes ?? defaultMaxPayloadBytes;
    this.#makeRoom = options.makeRoom ?? (async () => false);
  }

  /**
   * Opens or creates the file and replays its complete records. A torn tail is copied to a file beside the log, cut
   * off from the log, and reported to `onLoss`. Throws DamagedLogError if complete records follow a damaged one, unless
   * `repair` is set. Also rejects if the file cannot be opened or is not a log, or if `onRecord` throws for a record
   * before any damage. In each of these cases, the file is unchanged.
   */
  static async open(path: string, options: OpenOptions): Promise<AppendLog> {
    const { maxPayloadBytes = defaultMaxPayloadBytes, initial = [], repair = false } = options;
    const onRecord = (payload: Buffer): void => options.onRecord(payload);
    const onLoss = (loss: Loss): void => options.onLoss(loss);
    const length = await openFile({ path, maxPayloadBytes, initial, repair, onRecord, onLoss });
    return new AppendLog(path, await disk.openToAppend(path, options.sync ?? true), length, options);
  }

  /** Size of the file plus the queued records, in bytes. The next record begins at this offset. */
  get size(): number {
    return this.#size;
  }

  /** True after a disk failure during an append or during the folder sync of a compaction, until `recover` succeeds. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Appends a record. Resolves when it and all earlier ones are on disk. Do not change `payload` until then. Records
   * queued during a write are written and synced together. Rejects with RangeError if the record is too large. If the
   * disk fails, this and every later append rejects until `recover` succeeds; rejected records are removed from the
   * file.
   */
  append(payload: Uint8Array): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error(`${this.#path} is closed`));
    if (payload.length > this.#maxPayloadBytes) return Promise.reject(this.#tooLarge(payload));
    this.#queue.buffers.push(frameHeader(payload), payload);
    this.#size += headerBytes + payload.length;
    return new Promise((resolve, reject) => {
      this.#queue.waiting.push({ resolve, reject });
      this.#schedule();
    });
  }

  /** Syncs the records whose appends have resolved. Needed only without the option `sync`. Rejects if the disk fails. */
  sync(): Promise<void> {
    return disk.sync(this.#handle);
  }

  /**
   * Replaces the contents. `snapshot` yields the records that replace everything appended before this call. It is read
   * while appends continue, so they must not change what it yields. Records appended meanwhile follow the snapshot in
   * the file. A crash at any time leaves the old or the new contents, with every acknowledged record. Rejects and
   * changes nothing if the snapshot throws, the new file cannot be written, or another compaction is running.
   */
  compact(snapshot: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error(`${this.#path} is closed`));
    if (this.#compacting) return Promise.reject(new Error(`${this.#path} is already being compacted`));
    // Queued records belong to the old contents, so they are written before the files are swapped.
    const flushed = (this.#writes = this.#writes.then(() => this.#flush()));
    this.#compacting = this.#compact(snapshot, this.#size, flushed).finally(() => (this.#compacting = undefined));
    return this.#compacting;
  }

  /**
   * Accepts appends again after a disk failure. Passes every acknowledged record to `onRecord`, oldest first, so that
   * the caller can discard what it derived from rejected ones. Rejects and changes nothing while the disk still fails.
   */
  async recover(onRecord: (payload: Buffer) => void): Promise<void> {
    if (this.#closed) throw new Error(`${this.#path} is closed`);
    // A compaction that started before the failure may contain rejected records. It is discarded only if `#failure` is
    // still set when it ends, so wait for it before clearing the failure.
    await this.#compacting?.catch(() => undefined);
    const result = this.#writes.then(() => this.#recover(onRecord));
    this.#writes = result.catch(() => undefined);
    await result;
  }

  /**
   * Flushes queued records, waits for a running compaction, and closes the file. Rejects if `failed` is true. Later
   * calls return the same promise.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closed = true;
    await this.#compacting?.catch(() => undefined);
    this.#writes = this.#writes.then(() => this.#flush()).finally(() => this.#handle.close());
    await this.#writes;
    if (this.#failure) throw this.#failure;
  }

  #tooLarge(payload: Uint8Array): RangeError {
    return new RangeError(
      `a payload of ${payload.length} bytes exceeds the maximum of ${this.#maxPayloadBytes} of ${this.#path}`,
    );
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Deferred, so that everything appended in this turn of the event loop joins the group.
    setImmediate(() => {
      this.#writes = this.#writes.then(() => this.#flush());
    });
  }

  /** Writes the queue as one group. Never rejects: a failure rejects the pending appends and all later ones. */
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
      this.#failure ??= await this.#failWith(error as Error);
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

  /**
   * Sets the failure and removes a partially written group from the file, so that the next open does not replay
   * rejected records.
   */
  async #failWith(error: Error): Promise<Error> {
    // Set before the first await: nothing may be written after the partial group.
    this.#failure = new Error(`cannot write ${this.#path}: ${error.message}`, { cause: error });
    // If this fails too, `recover` retries it before anything else is written.
    await this.#truncateToWritten().catch(() => undefined);
    return this.#failure;
  }

  async #truncateToWritten(): Promise<void> {
    await disk.truncate(this.#handle, this.#written);
    await disk.sync(this.#handle);
  }

  async #recover(onRecord: (payload: Buffer) => void): Promise<void> {
    await this.#truncateToWritten();
    await disk.syncDirectory(this.#path);
    await replay(this.#handle, this.#maxPayloadBytes, onRecord);
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
        if (payload.length > this.#maxPayloadBytes) throw this.#tooLarge(payload);
        await next.add(payload);
      }
      // Most of the work and the long sync run while appends continue.
      await next.catchUp(this.#handle, this.#written);
      await disk.sync(next.handle);
    } catch (error) {
      await next.discard();
      throw error;
    }
    const result = this.#writes.then(() => this.#replaceBy(next));
    this.#writes = result.catch(() => undefined);
    await result;
  }

  /** Replaces the old file with the new one. Must run in the `#writes` chain, so that no group is written meanwhile. */
  async #replaceBy(next: Compaction): Promise<void> {
    const old = this.#handle;
    let handle: FileHandle;
    try {
      if (this.#failure) throw this.#failure;
      await next.catchUp(old, this.#written);
      handle = await next.finish(this.#path, this.#sync);
    } catch (error) {
      await next.discard();
      throw error;
    }
    this.#size += next.size - this.#written;
    this.#written = next.size;
    this.#handle = handle;
    try {
      await disk.syncDirectory(this.#path);
    } catch (error) {
      // It is unknown which file a power loss would leave, so nothing more may be acknowledged.
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
