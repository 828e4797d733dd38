import type { Change, Value } from './journal.js';

/** Approximate memory overhead of a record. */
const OVERHEAD_BYTES = 200;
/** A run of keys is merged with the previous one unless the previous one is at least this many times as long. */
const RUN_FACTOR = 4;

interface Version {
  value: Value;
  version: number;
  older: Version | undefined;
}

/** Changes that the data file does not contain yet, in all versions that readers may still need. */
export class Changes {
  bytes = 0;
  /** How many times `set` was called. */
  changeCount = 0;
  readonly #records = new Map<string, Version>();
  /** Changed keys in sorted runs. Keys are sorted only when `between` is called: most are never read by range. */
  readonly #runs: string[][] = [];
  /** Changed keys that are not sorted yet. */
  #added: string[] = [];

  get size(): number {
    return this.#records.size;
  }

  /** Returns a record as of a version: null if it was removed, undefined if it has not changed. */
  get(key: string, at: number): Value | undefined {
    return asOf(this.#records.get(key), at)?.value;
  }

  /** Changes a record. Versions up to `kept` stay readable. */
  set(key: string, value: Value, version = 0, kept = -1): void {
    this.changeCount += 1;
    this.bytes += bytesOf(key, value);
    const newest = this.#records.get(key);
    if (newest && newest.version > kept) {
      newest.value = value;
      newest.version = version;
      return;
    }
    this.#records.set(key, { value, version, older: newest });
    if (!newest) this.#added.push(key);
  }

  /** Returns the records as of a version. */
  entries(at: number): Change[] {
    const changes: Change[] = [];
    for (const [key, newest] of this.#records) {
      const record = asOf(newest, at);
      if (record) changes.push([key, record.value]);
    }
    return changes;
  }

  /** Returns the changed keys from `low` (inclusive) to `high` (exclusive), in any order. */
  between(low: string, high: string): string[] {
    if (this.#added.length > 0) this.#sort();
    return this.#runs.flatMap((run) => run.slice(position(run, low), position(run, high)));
  }

  /** Discards all versions after `version`. */
  revert(version: number): void {
    this.bytes = 0;
    for (const [key, newest] of this.#records) {
      const record = asOf(newest, version);
      if (record) this.#records.set(key, record);
      else this.#records.delete(key);
      for (let kept = record; kept; kept = kept.older) this.bytes += bytesOf(key, kept.value);
    }
  }

  #sort(): void {
    let run = this.#added;
    this.#added = [];
    while (this.#runs.length > 0 && this.#runs.at(-1)!.length < RUN_FACTOR * run.length)
      run = this.#runs.pop()!.concat(run);
    this.#runs.push(run.sort());
  }
}

const bytesOf = (key: string, value: Value): number => key.length + (value?.length ?? 0) + OVERHEAD_BYTES;

function asOf(newest: Version | undefined, at: number): Version | undefined {
  let record = newest;
  while (record && record.version > at) record = record.older;
  return record;
}

/** Returns how many of the sorted keys are below `key`. */
function position(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
