import { randomFillSync } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const CHECK_EVERY_MS = 1_000;
/** Free space, as a multiple of the reserve, from which it is set aside again: others need space as well. */
const FREE_TIMES = 3;

/**
 * A file that keeps some disk space in reserve. When the disk is full it is removed, so that what is being written still
 * fits; until there is space to set it aside again, no write may begin.
 */
export class DiskReserve {
  #released = true;
  #restoring = false;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly folder: string,
    private readonly bytes: number,
    private readonly warn: (message: string) => void,
  ) {
    this.#path = join(folder, 'disk.reserve');
    this.#timer = setInterval(() => void this.#restore(), CHECK_EVERY_MS).unref();
  }

  /** Sets the space aside, where there is enough. `warn` receives one sentence whenever the disk becomes full, or has space again. */
  static async open(folder: string, bytes: number, warn: (message: string) => void): Promise<DiskReserve> {
    const reserve = new DiskReserve(folder, bytes, warn);
    if (!(await reserve.#setAside())) reserve.#warnFull();
    return reserve;
  }

  /** Whether the space is used up. */
  get released(): boolean {
    return this.#released;
  }

  /** Gives the space back to the disk. Returns false if that was done before. */
  async release(): Promise<boolean> {
    if (this.#released) return false;
    this.#released = true;
    await rm(this.#path, { force: true });
    this.#warnFull();
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #warnFull(): void {
    this.warn(`no space left on ${this.folder}: writes are refused until there is`);
  }

  async #restore(): Promise<void> {
    if (!this.#released || this.#restoring) return;
    this.#restoring = true;
    const restored = await this.#setAside();
    this.#restoring = false;
    if (restored) this.warn(`there is space on ${this.folder} again: writes are accepted`);
  }

  async #setAside(): Promise<boolean> {
    try {
      await rm(this.#path, { force: true });
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail * bsize < this.bytes * FREE_TIMES) return false;
      const file = await open(this.#path, 'w', 0o600);
      try {
        // Random, because some file systems compress.
        await file.writeFile(randomFillSync(Buffer.allocUnsafe(this.bytes)));
        await file.sync();
      } finally {
        await file.close();
      }
      this.#released = false;
      return true;
    } catch {
      await rm(this.#path, { force: true }).catch(() => undefined);
      return false;
    }
  }
}
