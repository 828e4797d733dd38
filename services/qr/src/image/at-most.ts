import { fail } from '@tautan/kit';

/** Lets so many do something at once; the others wait for their turn, in the order in which they came. */
export class AtMost {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly waiting: number,
  ) {}

  /** Throws SERVICE_UNAVAILABLE when too many are waiting already, and what `work` throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.atOnce) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.waiting) {
      throw fail('SERVICE_UNAVAILABLE', 'Too many images are being drawn; try again in a moment.');
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
