import type { FileHandle } from 'node:fs/promises';
import { disk } from './disk.js';
import { frameHeader, headerBytes, magic } from './frame.js';

const chunkBytes = 1024 * 1024;

/** The file that will replace a log: a snapshot, then the records the log took since `mark`. */
export class Compaction {
  /** Bytes in the new file. */
  size = 0;
  #pending: Uint8Array[] = [magic];
  #pendingBytes = magic.length;

  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    /** Up to where the old file is contained in the new one. */
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

  /** Copies what the old file holds between the mark and `end`; the records there are framed already. */
  async catchUp(old: FileHandle, end: number): Promise<void> {
    await this.#write();
    while (this.mark < end) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - this.mark));
      const { bytesRead } = await old.read(chunk, 0, chunk.length, this.mark);
      if (bytesRead === 0) throw new Error(`the old file ends at ${this.mark}, before ${end}`);
      this.#pending.push(chunk.subarray(0, bytesRead));
      await this.#write();
      this.mark += bytesRead;
    }
  }

  /** Makes the new file durable and puts it into the place of the old one. Answers the handle to append to it by; `handle` stays open. */
  async finish(path: string, sync: boolean): Promise<FileHandle> {
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

  /** Gives up: the new file is removed. Never rejects; what remains is removed at the next open. */
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
