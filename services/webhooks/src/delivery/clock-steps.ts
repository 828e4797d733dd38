/** A step of the wall clock by more than this counts; smaller ones are ordinary adjustments. */
const MIN_STEP_MS = 1_000;

/**
 * Detects steps of the wall clock by comparing it with the monotonic clock. Reports a backward step at the start,
 * because the clock may have been set back before.
 */
export class ClockSteps {
  /** Wall clock minus monotonic clock when it was last accepted, milliseconds. */
  #offset = Infinity;

  constructor(private readonly now: () => Date) {}

  /**
   * Returns how far the clock was set forward, milliseconds (negative: back), or 0. Repeats a step until it is
   * accepted.
   */
  detect(): number {
    const step = this.#current - this.#offset;
    if (Math.abs(step) > MIN_STEP_MS) return step;
    this.accept();
    return 0;
  }

  accept(): void {
    this.#offset = this.#current;
  }

  get #current(): number {
    return this.now().getTime() - performance.now();
  }
}
