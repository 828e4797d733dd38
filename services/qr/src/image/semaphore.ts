import { fail } from '@tautan/kit';

export interface Bounds {
  /** Maximum number of running callers. */
  concurrency: number;
  concurrencyPerOwner?: number;
  /** Maximum number of waiting callers. */
  waiting: number;
  waitingPerOwner?: number;
}

/** The work of one owner. */
interface Lane {
  running: number;
  waiting: (() => void)[];
}

/** A fair counting semaphore: owners take turns, and the work of each owner runs in order. */
export class Semaphore {
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #running = 0;

  constructor(private readonly bounds: Bounds) {}

  /**
   * Runs `work` and returns its result. Throws SERVICE_UNAVAILABLE if too many callers are waiting, and the errors of
   * `work`.
   */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    const lane = this.#lanes.get(owner) ?? { running: 0, waiting: [] };
    if (this.#mayRun(lane)) this.#begin(owner, lane);
    else await this.#waitForTurn(owner, lane);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      lane.running -= 1;
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(owner);
      this.#next();
    }
  }

  #mayRun({ running }: Lane): boolean {
    const { concurrency, concurrencyPerOwner = concurrency } = this.bounds;
    return this.#running < concurrency && running < concurrencyPerOwner;
  }

  /** Counts the owner's work as running, and makes the owner the last to get another turn. */
  #begin(owner: string, lane: Lane): void {
    this.#lanes.delete(owner);
    this.#lanes.set(owner, lane);
    this.#running += 1;
    lane.running += 1;
  }

  #waitForTurn(owner: string, lane: Lane): Promise<void> {
    const { waiting, waitingPerOwner = waiting } = this.bounds;
    if (this.#waiting >= waiting || lane.waiting.length >= waitingPerOwner) {
      throw fail('SERVICE_UNAVAILABLE', 'Too many images are being rendered. Try again in a moment.');
    }
    this.#waiting += 1;
    this.#lanes.set(owner, lane);
    return new Promise((resolve) => lane.waiting.push(resolve));
  }

  /** Starts the next work, round robin over the owners. */
  #next(): void {
    for (const [owner, lane] of this.#lanes) {
      const begin = this.#mayRun(lane) ? lane.waiting.shift() : undefined;
      if (!begin) continue;
      this.#waiting -= 1;
      this.#begin(owner, lane);
      return begin();
    }
  }
}
