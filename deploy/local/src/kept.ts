import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './quickstart.js';

/** What the stack keeps of one of its parts, besides that part's own data: `<folder>/stack.json`. */
export class Kept<T extends object> {
  constructor(readonly folder: string) {}

  /** Nothing at first. Throws one plain sentence when it cannot be read. */
  read(): Partial<T> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<T>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw new Error(`The file ${this.#file} cannot be read: ${(error as Error).message}.`, { cause: error });
    }
  }

  /** Keeps more, readable by its owner alone. */
  add(more: Partial<T>): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writePrivate(this.#file, { ...this.read(), ...more });
  }

  get #file(): string {
    return join(this.folder, 'stack.json');
  }
}
