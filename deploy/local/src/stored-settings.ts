import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckedJson, writeCheckedJson } from '@tautan/append-log';

/** Settings that the stack chose and stores in `<folder>/stack.json`. */
export class StoredSettings<T extends object> {
  constructor(readonly folder: string) {}

  /** Returns the stored values, or an empty object. Throws if the file cannot be read or is corrupt. */
  read(): Partial<T> {
    return readCheckedJson<Partial<T>>(this.#file) ?? {};
  }

  /** Adds or replaces values. Only the owner of the file can read it. */
  add(more: Partial<T>): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeCheckedJson(this.#file, { ...this.read(), ...more });
  }

  get #file(): string {
    return join(this.folder, 'stack.json');
  }
}
