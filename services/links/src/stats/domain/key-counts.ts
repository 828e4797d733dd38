/** Clicks by key, and the clicks that are no longer counted under any key. */
export interface KeyCountsState {
  keys: string[];
  counts: number[];
  other: number;
}

/**
 * Counts clicks by an unbounded set of keys and keeps the top ones: when there are more than `2 * capacity` keys, every
 * count is reduced by the (`capacity` + 1)th highest count, but not below zero. What is taken from the counts is
 * added to `other`, and keys with nothing left are removed (J. Misra, D. Gries, "Finding repeated elements", 1982; P.
 * Agarwal et al., "Mergeable summaries", 2012). All counts and `other` always add up to the exact total, no count is
 * too high, and none is too low by more than the total / (`capacity` + 1).
 */
export class KeyCounts {
  readonly #counts = new Map<string, number>();
  #other = 0;

  constructor(private readonly capacity: number) {}

  static from({ keys, counts, other }: KeyCountsState, capacity: number): KeyCounts {
    const all = new KeyCounts(capacity);
    for (let i = 0; i < keys.length; i += 1) all.#counts.set(keys[i]!, counts[i]!);
    all.#other = other;
    return all;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Number of clicks that are no longer counted under any key. */
  get other(): number {
    return this.#other;
  }

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, clicks: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + clicks);
    if (this.#counts.size > 2 * this.capacity) this.#trim();
  }

  merge(from: KeyCounts): void {
    for (const [key, clicks] of from.#counts) this.add(key, clicks);
    this.#other += from.#other;
  }

  /** Adds counts returned by `state`. */
  addState({ keys, counts, other }: KeyCountsState): void {
    for (let i = 0; i < keys.length; i += 1) this.add(keys[i]!, counts[i]!);
    this.#other += other;
  }

  state(): KeyCountsState {
    return { keys: [...this.#counts.keys()], counts: [...this.#counts.values()], other: this.#other };
  }

  /**
   * Returns the `max` keys with the most clicks; equal counts are ordered by key. Clicks that are no longer counted
   * under any key are included as `other`, unless `withOther` is false.
   */
  top(max: number, withOther = true): { key: string; clicks: number }[] {
    const all = new Map(this.#counts);
    if (withOther && this.#other > 0) all.set('other', (all.get('other') ?? 0) + this.#other);
    return [...all]
      .map(([key, clicks]) => ({ key, clicks }))
      .sort((a, b) => b.clicks - a.clicks || (a.key < b.key ? -1 : 1))
      .slice(0, max);
  }

  #trim(): void {
    const cut = [...this.#counts.values()].sort((a, b) => b - a)[this.capacity]!;
    for (const [key, clicks] of this.#counts) {
      if (clicks > cut) this.#counts.set(key, clicks - cut);
      else this.#counts.delete(key);
      this.#other += Math.min(clicks, cut);
    }
  }
}
