import { fail } from '@tautan/kit';

export interface Bounds {
  atOnce: number;
  /** Of one owner. */
  atOnceEach?: number;
  /** How many may wait, of all owners and of each. */
  waiting: number;
  waitingEach?: number;
}

/** The work of one owner. */
interface Lane {
  running: number;
  waiting: (() => void)[];
}

/** Lets so many do something at once. The others wait: owners take turns, and each owner's work keeps its order. */
export class AtMost {
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #running = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Throws SERVICE_UNAVAILABLE when too many are waiting already, and what `work` throws. */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    const lane = this.#lanes.get(owner) ?? { running: 0, waiting: [] };
    this.#lanes.set(owner, lane);
    if (this.#mayRun(lane)) this.#begin(lane);
    else await this.#turn(lane);
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
    const { atOnce, atOnceEach = atOnce } = this.bounds;
    return this.#running < atOnce && running < atOnceEach;
  }

  #begin(lane: Lane): void {
    this.#running += 1;
    lane.running += 1;
  }

  #turn({ waiting: own }: Lane): Promise<void> {
    const { waiting, waitingEach = waiting } = this.bounds;
    if (this.#waiting >= waiting || own.length >= waitingEach) {
      throw fail('SERVICE_UNAVAILABLE', 'Too many images are being drawn; try again in a moment.');
    }
    this.#waiting += 1;
    return new Promise((resolve) => own.push(resolve));
  }

  /** Begins the first work of the owner whose turn it is; that owner's next turn comes after everybody else's. */
  #next(): void {
    for (const [owner, lane] of this.#lanes) {
      const begin = this.#mayRun(lane) ? lane.waiting.shift() : undefined;
      if (!begin) continue;
      this.#waiting -= 1;
      this.#begin(lane);
      this.#lanes.delete(owner);
      this.#lanes.set(owner, lane);
      return begin();
    }
  }
}
