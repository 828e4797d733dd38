/** Only larger changes of the wall clock are steps; others are ordinary adjustments. */
const MIN_STEP_MS = 1_000;

/**
 * Detects steps of the wall clock by comparing it with the monotonic clock. Initially reports a backward step, because
 * the clock may have been set back before the process started.
 */
export class ClockSteps {
  /** Accepted difference between wall clock and monotonic clock, milliseconds. */
  #offset = Infinity;

  constructor(private readonly now: () => Date) {}

  /**
   * Returns how far the clock was set forward, milliseconds (negative: back), or 0. Reports a step at every call until
   * the step is accepted.
   */
  detect(): number {
    const step = this.#current - this.#offset;
    if (Math.abs(step) > MIN_STEP_MS) return step;
    this.accept();
    return 0;
  }

  /** Accepts the current time, so that the step is no longer reported. */
  accept(): void {
    this.#offset = this.#current;
  }

  get #current(): number {
    return this.now().getTime() - performance.now();
  }
}
