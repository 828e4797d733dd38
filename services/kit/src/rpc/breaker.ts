/** Time after a refused or failed call during which an open breaker counts as rejecting calls. */
const REJECTING_MS = 60_000;

/**
 * A circuit breaker: after `threshold` consecutive failures, it opens and rejects calls. Every `coolDownMs`, it lets
 * one call through as a probe (half-open), and closes once a call succeeds.
 */
export class Breaker {
  #failures = 0;
  #retryAt = 0;
  /** When a call was last refused or failed. */
  #refusedOrFailedAt = 0;

  constructor(
    private readonly threshold = 5,
    private readonly coolDownMs = 500,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the breaker is open, and a call was refused or failed within the last minute. */
  get isRejecting(): boolean {
    return this.#failures >= this.threshold && this.now() - this.#refusedOrFailedAt <= REJECTING_MS;
  }

  /** Returns whether a call may be sent. If the breaker is open, true makes this call the probe. */
  allows(): boolean {
    if (this.#failures < this.threshold) return true;
    if (this.now() < this.#retryAt) {
      this.#refusedOrFailedAt = this.now();
      return false;
    }
    this.#retryAt = this.now() + this.coolDownMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    this.#refusedOrFailedAt = this.now();
    this.#retryAt = this.now() + this.coolDownMs;
  }
}
