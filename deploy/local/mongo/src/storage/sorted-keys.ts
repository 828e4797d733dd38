const MAX_CHUNK = 256;

/** Different keys in order. */
export class SortedKeys {
  /** Sorted arrays, one after the other; none but the first is empty. */
  readonly #chunks: string[][] = [[]];
  /** Keys that are not in them yet: most are never asked for in order. */
  #added: string[] = [];

  add(key: string): void {
    this.#added.push(key);
  }

  /** The keys from `low` until before `high`. */
  between(low: string, high: string): string[] {
    for (const key of this.#added) this.#insert(key);
    this.#added = [];
    const found: string[] = [];
    for (let at = this.#chunkOf(low); at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at]!;
      const end = position(chunk, high);
      found.push(...chunk.slice(position(chunk, low), end));
      if (end < chunk.length) break;
    }
    return found;
  }

  #insert(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at]!;
    chunk.splice(position(chunk, key), 0, key);
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  /** The last chunk that begins before `key`, or the first. */
  #chunkOf(key: string): number {
    return Math.max(0, countBelow(this.#chunks.length, (at) => this.#chunks[at]![0]! < key) - 1);
  }
}

/** How many of the sorted keys are below `key`. */
const position = (sorted: readonly string[], key: string): number =>
  countBelow(sorted.length, (at) => sorted[at]! < key);

/** The number of positions, from 0 on, that are `below`; all before `length` that are not come after them. */
function countBelow(length: number, below: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (below(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
