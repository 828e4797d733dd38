/** Clicks by key, the rest of what was counted without a key of its own. */
export interface KeyCountsState {
  keys: string[];
  counts: number[];
  other: number;
}

/**
 * Counts clicks by keys of which there may be any number, and keeps the top ones: once there are more than `2 * kept`, the
 * count of the key after the first `kept` is taken from each, and who has nothing left goes (J. Misra, D. Gries, "Finding
 * repeated elements", 1982; P. Agarwal et al., "Mergeable summaries", 2012). So all counts and `other` together are what was
 * counted, exactly; no count is too high; and none is too low by more than the total / (`kept` + 1).
 */
export class KeyCounts {
  readonly #counts = new Map<string, number>();
  #other = 0;

  constructor(private readonly kept: number) {}

  static from({ keys, counts, other }: KeyCountsState, kept: number): KeyCounts {
    const all = new KeyCounts(kept);
    for (let i = 0; i < keys.length; i += 1) all.#counts.set(keys[i]!, counts[i]!);
    all.#other = other;
    return all;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Clicks of keys that were not kept. */
  get other(): number {
    return this.#other;
  }

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, clicks: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + clicks);
    if (this.#counts.size > 2 * this.kept) this.#trim();
  }

  merge(from: KeyCounts): void {
    for (const [key, clicks] of from.#counts) this.add(key, clicks);
    this.#other += from.#other;
  }

  /** Adds counts as `state` returned them. */
  addState({ keys, counts, other }: KeyCountsState): void {
    for (let i = 0; i < keys.length; i += 1) this.add(keys[i]!, counts[i]!);
    this.#other += other;
  }

  state(): KeyCountsState {
    return { keys: [...this.#counts.keys()], counts: [...this.#counts.values()], other: this.#other };
  }

  /** The keys with most clicks, at most so many, those with as many by their names. What had no key of its own is `other`, unless left out. */
  top(most: number, withOther = true): { key: string; clicks: number }[] {
    const all = new Map(this.#counts);
    if (withOther && this.#other > 0) all.set('other', (all.get('other') ?? 0) + this.#other);
    return [...all]
      .map(([key, clicks]) => ({ key, clicks }))
      .sort((a, b) => b.clicks - a.clicks || (a.key < b.key ? -1 : 1))
      .slice(0, most);
  }

  #trim(): void {
    const cut = [...this.#counts.values()].sort((a, b) => b - a)[this.kept]!;
    for (const [key, clicks] of this.#counts) {
      if (clicks > cut) this.#counts.set(key, clicks - cut);
      else this.#counts.delete(key);
      this.#other += Math.min(clicks, cut);
    }
  }
}
