import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckedJson, writeCheckedJson } from '@tautan/append-log';

/** What the stack keeps of one of its parts, besides that part's own data: `<folder>/stack.json`. */
export class Kept<T extends object> {
  constructor(readonly folder: string) {}

  /** Nothing at first. Throws one plain sentence if the file cannot be read or is damaged. */
  read(): Partial<T> {
    return readCheckedJson<Partial<T>>(this.#file) ?? {};
  }

  /** Keeps more, readable by its owner alone. */
  add(more: Partial<T>): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeCheckedJson(this.#file, { ...this.read(), ...more });
  }

  get #file(): string {
    return join(this.folder, 'stack.json');
  }
}
