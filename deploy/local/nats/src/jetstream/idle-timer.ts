const maxTimer = 2 ** 31 - 1;

/** Tells when something has not been used for a while. */
export class IdleTimer {
  #lastUse = Date.now();
  #threshold = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `isBusy` is asked before `onIdle` is called: what is busy is in use. */
  constructor(
    private readonly isBusy: () => boolean,
    private readonly onIdle: () => void,
  ) {}

  used(): void {
    this.#lastUse = Date.now();
  }

  /** Watches from now on; `threshold` in milliseconds, 0 for not at all. */
  watch(threshold: number): void {
    this.stop();
    this.#threshold = threshold;
    if (threshold > 0) this.#timer = setTimeout(() => this.#look(), Math.min(this.#left(), maxTimer)).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#lastUse + this.#threshold > Date.now() || this.isBusy()) this.watch(this.#threshold);
    else this.onIdle();
  }

  /** Milliseconds until it can be idle; a whole threshold when it would be by now. */
  #left(): number {
    const left = this.#lastUse + this.#threshold - Date.now();
    return left > 0 ? left : this.#threshold;
  }
}
