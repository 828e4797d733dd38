/** Lets at most so many pieces of work run at once; the others wait in the order they came. */
export class Gate {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(width: number) {
    this.#free = width;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
