import type { Change, Value } from './journal.js';
import { successor } from './keys.js';
import { SortedKeys } from './sorted-keys.js';

/** About what a record takes in memory beside its key and value. */
const OVERHEAD_BYTES = 200;

interface Version {
  value: Value;
  version: number;
  older: Version | undefined;
}

/** Records put or removed that the file does not hold yet, in the versions that somebody may still read. */
export class Changes {
  bytes = 0;
  /** How often something was put or removed. */
  version = 0;
  readonly #records = new Map<string, Version>();
  /** Keys that are not in order yet: most are never asked for in order. */
  #added: string[] = [];
  /** The others by their first five characters, which name a collection or an index: most ranges are within one. */
  readonly #families = new Map<string, SortedKeys>();

  get size(): number {
    return this.#records.size;
  }

  /** As of a version: null when the record is removed, undefined when nothing has changed. */
  get(key: string, at: number): Value | undefined {
    let record = this.#records.get(key);
    while (record && record.version > at) record = record.older;
    return record?.value;
  }

  /** Versions until `kept` stay readable. */
  set(key: string, value: Value, version = 0, kept = -1): void {
    this.version += 1;
    const there = this.#records.get(key);
    this.bytes += key.length + (value?.length ?? 0) + OVERHEAD_BYTES;
    if (there && there.version > kept) return void Object.assign(there, { value, version });
    this.#records.set(key, { value, version, older: there });
    if (!there) this.#added.push(key);
  }

  /** The records as of a version. */
  *entries(at: number): Iterable<Change> {
    for (const key of this.#records.keys()) {
      const value = this.get(key, at);
      if (value !== undefined) yield [key, value];
    }
  }

  /** The changed keys from `low` until before `high`, in order. */
  between(low: string, high: string): string[] {
    this.#order();
    const name = low.slice(0, 5);
    if (name.length === 5 && high <= successor(name)) return this.#families.get(name)?.between(low, high) ?? [];
    const names = [...this.#families.keys()].filter((each) => each >= name && each < high).sort();
    return names.flatMap((each) => this.#families.get(each)!.between(low, high));
  }

  /** Drops all versions after `version`. */
  revert(version: number): void {
    for (const [key, newest] of this.#records) {
      let record: Version | undefined = newest;
      while (record && record.version > version) record = record.older;
      if (record) this.#records.set(key, record);
      else this.#records.delete(key);
    }
  }

  #order(): void {
    for (const key of this.#added) {
      const name = key.slice(0, 5);
      const family = this.#families.get(name) ?? new SortedKeys();
      this.#families.set(name, family);
      family.add(key);
    }
    this.#added = [];
  }
}
