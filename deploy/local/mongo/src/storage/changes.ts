/** About what a record takes in memory beside its key and value. */
const OVERHEAD_BYTES = 200;

/** Records put or removed that the file does not hold yet, with the order of their keys. */
export class Changes {
  bytes = 0;
  /** How often something was put or removed. */
  version = 0;
  readonly #values = new Map<string, Buffer | null>();
  /** The keys by their first five characters, which name a collection or an index: ranges are within one. */
  readonly #families = new Map<string, Family>();

  get size(): number {
    return this.#values.size;
  }

  /** Null when the record is removed, undefined when nothing has changed. */
  get(key: string): Buffer | null | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Buffer | null): void {
    this.version += 1;
    const size = this.#values.size;
    this.#values.set(key, value);
    this.bytes += value?.length ?? 0;
    if (this.#values.size === size) return;
    this.bytes += key.length + OVERHEAD_BYTES;
    const name = key.slice(0, 5);
    const family = this.#families.get(name);
    if (family) family.added.push(key);
    else this.#families.set(name, { sorted: [], added: [key] });
  }

  entries(): Iterable<[string, Buffer | null]> {
    return this.#values;
  }

  /** The changed keys from `low` until before `high`, in order. */
  between(low: string, high: string): string[] {
    const family = this.#families.get(low.slice(0, 5));
    if (!family) return [];
    if (family.added.length > 0) {
      family.sorted = family.sorted.concat(family.added).sort();
      family.added = [];
    }
    return family.sorted.slice(position(family.sorted, low), position(family.sorted, high));
  }
}

interface Family {
  sorted: string[];
  /** Keys that came since they were sorted. */
  added: string[];
}

/** How many of the sorted keys are below `key`. */
function position(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
