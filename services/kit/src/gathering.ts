interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface GatheringOptions<T, R> {
  /** Does items together; answers their results in the same order, or rejects for all of them. */
  apply(items: T[]): Promise<R[]>;
  /** Most items of one go. */
  most: number;
  /** Goes under way at once. */
  atOnce: number;
  /** Time that the first item waits for others, milliseconds. */
  lingerMs: number;
}

/** Does items in groups: what a round trip costs is paid once for all that came at about the same time. */
export class Gathering<T, R> {
  readonly #waiting: Waiting<T, R>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: GatheringOptions<T, R>) {}

  /** Resolves with the item's result; rejects when its group failed. */
  run(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#leave();
      }, this.options.lingerMs);
    });
  }

  #leave(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.options.atOnce) {
      this.#underWay += 1;
      void this.#apply(this.#waiting.splice(0, this.options.most)).finally(() => {
        this.#underWay -= 1;
        this.#leave();
      });
    }
  }

  /** Never rejects: whoever waits is told. */
  async #apply(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.options.apply(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
