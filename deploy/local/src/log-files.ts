import { closeSync, copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 5_000;

/**
 * The logs of the stack: one file a process, that children write to themselves, so that no line waits for the supervisor
 * and none is lost when it dies. A file past its bound is copied to `<name>.log.1` and begins anew; since every writer
 * appends, that needs nothing of them.
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

  /** A descriptor, open for appending as long as this lives. */
  open(name: string): number {
    const path = join(this.folder, `${name}.log`);
    const file = this.#files.get(name) ?? { path, fd: openSync(path, 'a', 0o600) };
    this.#files.set(name, file);
    return file.fd;
  }

  /** Begins every file anew that has outgrown its bound. */
  rotate(): void {
    for (const { path, fd } of this.#files.values()) {
      if (fstatSync(fd).size <= this.maxBytes) continue;
      try {
        copyFileSync(path, `${path}.1`);
      } catch {
        // A disk too full for the copy is no reason to fill it further.
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
