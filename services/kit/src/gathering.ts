import { callerTrace, inBatch, type CallerTrace } from './telemetry.js';

interface Waiting<T, R> {
  item: T;
  trace: CallerTrace;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface GatheringOptions<T, R> {
  /** Does items together, wholly or not at all; answers their results in the same order, or rejects for all of them. */
  apply(items: T[]): Promise<R[]>;
  /** Most items of one go; with `weigh`, most weight, unless one item alone is heavier. */
  most: number;
  weigh?: (item: T) => number;
  /** Whether a failure may be one item's fault: then each is tried alone, so that the others do not fail with it. */
  isOnesOwn?: (error: unknown) => boolean;
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
      this.#waiting.push({ item, trace: callerTrace(), resolve, reject });
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#leave();
      }, this.options.lingerMs);
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

  #take(): Waiting<T, R>[] {
    const { most, weigh } = this.options;
    if (!weigh) return this.#waiting.splice(0, most);
    let weight = 0;
    const rest = this.#waiting.findIndex(({ item }, i) => {
      weight += weigh(item);
      return i > 0 && weight > most;
    });
    return this.#waiting.splice(0, rest < 0 ? this.#waiting.length : rest);
  }

  /** Never rejects: whoever waits is told. */
  async #apply(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await inBatch(group, () => this.options.apply(group.map(({ item }) => item)));
      group.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      const alone = group.length > 1 && this.options.isOnesOwn?.(error) === true;
      for (const each of group) {
        if (alone) await this.#apply([each]);
        else each.reject(error);
      }
    }
  }
}
