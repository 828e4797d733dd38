import { closeSync, copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 5_000;

/**
 * The log files of the stack, one per process. Child processes write to them directly, so that no line is lost if the
 * supervisor crashes. A file that exceeds its limit is copied to `<name>.log.1` and truncated. Its writers need not
 * reopen it, because they append. Lines written between the copy and the truncation are lost.
 */
export class LogFiles {
  readonly #files = new Map<string, { path: string; fd: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly folder: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#timer = setInterval(() => this.rotate(), CHECK_EVERY_MS).unref();
  }

  /** Returns a file descriptor for appending, which stays open until `close` is called. */
  open(name: string): number {
    const path = join(this.folder, `${name}.log`);
    const file = this.#files.get(name) ?? { path, fd: openSync(path, 'a', 0o600) };
    this.#files.set(name, file);
    return file.fd;
  }

  /** Rotates every file that exceeds its limit. */
  rotate(): void {
    for (const { path, fd } of this.#files.values()) {
      if (fstatSync(fd).size <= this.maxBytes) continue;
      try {
        copyFileSync(path, `${path}.1`);
      } catch {
        // Truncate the log even if the disk is too full for the copy.
        rmSync(`${path}.1`, { force: true });
      }
      ftruncateSync(fd);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { fd } of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }
}
