interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface GroupsOptions<T> {
  /** Does one group, wholly or not at all. */
  apply(items: T[]): Promise<void>;
  /** Whether a failure has nothing to do with the items: no sense in trying them one by one. */
  isTransient(error: unknown): boolean;
  weigh(item: T): number;
  /** Most weight of a group, unless one item alone is heavier. */
  mostWeight: number;
  /** Groups under way at once. */
  atOnce: number;
  /** Time that the first of a group waits for others, milliseconds. */
  lingerMs: number;
}

/**
 * Does items in groups: what a transaction costs is paid once for all that came at about the same time. Where a group
 * fails by one of its items, each is tried alone, so that the others do not fail with it.
 */
export class Groups<T> {
  readonly #waiting: Waiting<T>[] = [];
  #underWay = 0;

  constructor(private readonly options: GroupsOptions<T>) {}

  /** Resolves when the item is done; rejects when it failed. */
  run(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1) setTimeout(() => this.#leave(), this.options.lingerMs);
    });
  }

  #leave(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.options.atOnce) {
      this.#underWay += 1;
      void this.#apply(this.#take()).finally(() => {
        this.#underWay -= 1;
        this.#leave();
      });
    }
  }

  #take(): Waiting<T>[] {
    let weight = 0;
    const rest = this.#waiting.findIndex(({ item }, i) => {
      weight += this.options.weigh(item);
      return i > 0 && weight > this.options.mostWeight;
    });
    return this.#waiting.splice(0, rest < 0 ? this.#waiting.length : rest);
  }

  /** Never rejects: whoever waits is told. */
  async #apply(group: Waiting<T>[]): Promise<void> {
    try {
      await this.options.apply(group.map(({ item }) => item));
      for (const { resolve } of group) resolve();
    } catch (error) {
      const alone = group.length > 1 && !this.options.isTransient(error);
      for (const each of group) {
        if (alone) await this.#apply([each]);
        else each.reject(error);
      }
    }
  }
}
