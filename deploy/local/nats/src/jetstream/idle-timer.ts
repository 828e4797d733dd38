const maxTimer = 2 ** 31 - 1;

/** Calls a function after a period without use. */
export class IdleTimer {
  #lastUse = Date.now();
  #threshold = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onIdle` is not called while `isBusy` returns true. */
  constructor(
    private readonly isBusy: () => boolean,
    private readonly onIdle: () => void,
  ) {}

  /** Records a use. */
  used(): void {
    this.#lastUse = Date.now();
  }

  /** Starts the timer. `threshold` is in ms; 0 disables it. */
  watch(threshold: number): void {
    this.stop();
    this.#threshold = threshold;
    if (threshold > 0) this.#timer = setTimeout(() => this.#check(), Math.min(this.#left(), maxTimer)).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    if (this.#lastUse + this.#threshold > Date.now() || this.isBusy()) this.watch(this.#threshold);
    else this.onIdle();
  }

  /** Returns the time in ms until the threshold is reached, or the whole threshold if it has been reached. */
  #left(): number {
    const left = this.#lastUse + this.#threshold - Date.now();
    return left > 0 ? left : this.#threshold;
  }
}
