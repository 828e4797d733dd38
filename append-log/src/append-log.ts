import type { FileHandle } from 'node:fs/promises';
import { Compaction } from './compaction.js';
import { disk } from './disk.js';
import { frameHeader, headerBytes, magic } from './frame.js';
import { replay } from './replay.js';

export interface OpenOptions {
  /**
   * Called once per whole record, oldest first, during open. The buffer may be kept; it is a view into the 4 MiB that
   * were read at once, so copy it to keep a few records out of many.
   */
  onRecord(payload: Buffer): void;
  /** Each group is on disk before it is acknowledged (default true). Without it a record survives a kill, not a power cut. */
  sync?: boolean;
  /** Most bytes of one record; a larger length prefix is a torn tail. Default 64 MiB. */
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

const emptyGroup = (): Group => ({ buffers: [], waiting: [] });

/** A file of checksummed records that only ever grows, but for compaction. One process may hold it open at a time. */
export class AppendLog {
  /** Bytes of torn or corrupt tail that open cut off. */
  readonly truncatedBytes: number;

  readonly #path: string;
  readonly #sync: boolean;
  readonly #maxRecordBytes: number;
  #handle: FileHandle;
  /** Bytes in the file. */
  #written: number;
  /** Bytes in the file and in the queue. */
  #size: number;
  #queue = emptyGroup();
  #scheduled = false;
  /** The chain of everything that writes: groups and the last step of a compaction take their turns on it. */
  #turn: Promise<void> = Promise.resolve();
  #compacting: Promise<void> | undefined;
  #failure: Error | undefined;
  #closed = false;

  private constructor(path: string, handle: FileHandle, written: number, truncated: number, options: OpenOptions) {
    this.#path = path;
    this.#handle = handle;
    this.#written = written;
    this.#size = written;
    this.truncatedBytes = truncated;
    this.#sync = options.sync ?? true;
    this.#maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
  }

  /**
   * Opens or creates the file, replays its whole records and cuts off a torn or corrupt tail (see `truncatedBytes`).
   * Rejects when the file cannot be opened, is not a log, or `onRecord` throws; nothing is then changed.
   */
  static async open(path: string, options: OpenOptions): Promise<AppendLog> {
    await disk.remove(`${path}.next`);
    const handle = await openOrCreate(path);
    try {
      const maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
      const { size } = await handle.stat();
      const sound = await replay(handle, path, maxRecordBytes, (payload) => options.onRecord(payload));
      if (sound < size) await disk.truncate(handle, sound);
      if (sound === 0) await writeMagic(handle, path);
      const appending = await disk.openToAppend(path, options.sync ?? true);
      return new AppendLog(path, appending, Math.max(sound, magic.length), size - sound, options);
    } finally {
      await handle.close();
    }
  }

  /** Bytes of the file, records still in the queue included: also where the next record will begin. */
  get size(): number {
    return this.#size;
  }

  /**
   * Queues one record; resolves when it and all before it are on disk. Records queued while a write is under way leave as
   * one write and one sync. The bytes must not change until then. Rejects (RangeError) when the record is too large; when
   * the disk fails, this and every later append rejects, and whether the record is in the file shows at the next open.
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

  /** Flushes what is queued, lets a compaction finish, and closes the file. Rejects when the last flush failed. */
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

  /** Writes the queue as one group. Never rejects: a failure is for the waiting appends and all later ones. */
  async #flush(): Promise<void> {
    const { buffers, waiting } = this.#queue;
    this.#queue = emptyGroup();
    this.#scheduled = false;
    if (waiting.length === 0) return;
    try {
      if (this.#failure) throw this.#failure;
      this.#written += await disk.append(this.#handle, buffers, this.#written, this.#sync);
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      this.#failure ??= new Error(`cannot write ${this.#path}: ${(error as Error).message}`, { cause: error });
      for (const { reject } of waiting) reject(this.#failure);
    }
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

const defaultMaxRecordBytes = 64 * 1024 * 1024;

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await disk.open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return disk.open(path, 'wx+');
  }
}

async function writeMagic(handle: FileHandle, path: string): Promise<void> {
  await disk.write(handle, [magic], 0);
  await disk.sync(handle);
  await disk.syncDirectory(path);
}
