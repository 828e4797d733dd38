import type { FileHandle } from 'node:fs/promises';
import { disk } from './disk.js';
import { frameHeader, headerBytes, magic } from './frame.js';

const chunkBytes = 1024 * 1024;

/** The file that will replace a log: a snapshot, then the records appended to the log since `mark`. */
export class Compaction {
  /** Bytes in the new file. */
  size = 0;
  #pending: Uint8Array[] = [magic];
  #pendingBytes = magic.length;

  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    /** End of the part of the old file that the snapshot replaces or that is already copied. */
    private mark: number,
  ) {}

  static async begin(path: string, mark: number): Promise<Compaction> {
    return new Compaction(path, await disk.open(path, 'w+'), mark);
  }

  /** Adds one record of the snapshot. */
  async add(payload: Uint8Array): Promise<void> {
    this.#pending.push(frameHeader(payload), payload);
    this.#pendingBytes += headerBytes + payload.length;
    if (this.#pendingBytes >= chunkBytes) await this.#write();
  }

  /** Copies the records of the old file between the mark and `end`, a record boundary. */
  async catchUp(old: FileHandle, end: number): Promise<void> {
    await this.copy(old, this.mark, end);
    this.mark = Math.max(this.mark, end);
  }

  /** Copies the bytes of another log from `start` to `end`, both record boundaries. */
  async copy(from: FileHandle, start: number, end: number): Promise<void> {
    await this.#write();
    for (let at = start; at < end;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at));
      const { bytesRead } = await from.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw new Error(`the file ends at ${at}, before ${end}`);
      this.#pending.push(chunk.subarray(0, bytesRead));
      await this.#write();
      at += bytesRead;
    }
  }

  /**
   * Syncs the new file and renames it to `path`. Returns a handle for appending to it, which syncs every write if
   * `sync` is true. `handle` stays open.
   */
  async finish(path: string, sync: boolean): Promise<FileHandle> {
    await this.#write();
    await disk.sync(this.handle);
    const appending = await disk.openToAppend(this.path, sync);
    try {
      await disk.rename(this.path, path);
    } catch (error) {
      await appending.close();
      throw error;
    }
    return appending;
  }

  /** Removes the new file. Never rejects; the next open removes what remains. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await disk.remove(this.path).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const buffers = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.size += await disk.write(this.handle, buffers, this.size);
  }
}

/**
 * Creates a log at `path` with the records that `fill` adds, in place of any existing file. A crash leaves the old file
 * or the new one. Returns the length of the new file. If `fill` or the disk fails before the new file is renamed,
 * rejects and changes nothing.
 */
export async function replaceFile(path: string, fill: (next: Compaction) => Promise<void>): Promise<number> {
  const next = await Compaction.begin(`${path}.next`, 0);
  try {
    await fill(next);
    await (await next.finish(path, false)).close();
  } catch (error) {
    await next.discard();
    throw error;
  }
  await next.handle.close();
  await disk.syncDirectory(path);
  return next.size;
}
