/**
 * A circuit breaker: after `threshold` consecutive failures, it opens and rejects calls. Every `coolDownMs`, it lets
 * one call through as a probe (half-open), and closes once a call succeeds.
 */
export class Breaker {
  #failures = 0;
  #retryAt = 0;
  /** Called when the breaker opens or closes. */
  onChange: (open: boolean) => void = () => {};

  constructor(
    private readonly threshold = 5,
    private readonly coolDownMs = 500,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns whether a call may be sent. If the breaker is open, true makes this call the probe. */
  allows(): boolean {
    if (this.#failures < this.threshold) return true;
    if (this.now() < this.#retryAt) return false;
    this.#retryAt = this.now() + this.coolDownMs;
    return true;
  }

  succeeded(): void {
    if (this.#failures >= this.threshold) this.onChange(false);
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures === this.threshold) this.onChange(true);
    this.#retryAt = this.now() + this.coolDownMs;
  }
}
