import { addressKeys, MemoryLimiter, resetSeconds, SITE_FACTOR } from '@tautan/kit';

/** A budget per client address: for requests for unknown slugs, or for visits to a limited link or QR code. */
export type BudgetKind = 'unknown' | 'limited';

/** Thrown if a request exceeds the budget of its client address. */
export class OverBudget extends Error {
  constructor(
    readonly kind: BudgetKind,
    /** Whole seconds until some of the budget is available again, 1 to 60. */
    readonly retryAfterSeconds: number,
  ) {
    super(`The budget '${kind}' of a client address is used up.`);
  }
}

const SECONDS = 60;

const noRefund = (): void => undefined;

/**
 * Counts requests in memory, per client address and minute: by IPv4 address, by IPv6 /64, and by IPv6 /56 with ten
 * times the budget.
 */
export class AddressBudget {
  readonly #client: MemoryLimiter;
  readonly #site: MemoryLimiter;

  /** `perMinute`: 0 disables the budget. */
  constructor(
    private readonly kind: BudgetKind,
    private readonly perMinute: number,
  ) {
    this.#client = new MemoryLimiter({ points: perMinute, seconds: SECONDS });
    this.#site = new MemoryLimiter({ points: perMinute * SITE_FACTOR, seconds: SECONDS });
  }

  /** Number of counters in memory: one per scope and address or prefix. */
  get size(): number {
    return this.#client.size + this.#site.size;
  }

  /**
   * Counts a request from an address, separately for each `scope` (such as the key of a limited route). Returns a
   * function that undoes the count. An empty (unknown) address is not counted. Throws OverBudget if the budget is used
   * up.
   */
  charge(address: string, scope = ''): () => void {
    if (this.perMinute === 0 || address === '') return noRefund;
    const [client, site] = addressKeys(address).map((key) => (scope === '' ? key : `${scope} ${key}`));
    this.#consume(this.#client, client!);
    if (site === undefined) return () => this.#client.refund(client!);
    try {
      this.#consume(this.#site, site);
    } catch (error) {
      this.#client.refund(client!);
      throw error;
    }
    return () => {
      this.#client.refund(client!);
      this.#site.refund(site);
    };
  }

  /**
   * Counts a request and then runs `work`. Undoes the count if the work fails or `counts` returns false for its result.
   * If the budget is used up, throws OverBudget and does not start the work.
   */
  spend<T>(address: string, scope: string, work: () => Promise<T>, counts: (result: T) => boolean): Promise<T> {
    const refund = this.charge(address, scope);
    let counted = false;
    return work()
      .then((result) => {
        counted = counts(result);
        return result;
      })
      .finally(() => {
        if (!counted) refund();
      });
  }

  #consume(limiter: MemoryLimiter, key: string): void {
    const state = limiter.consume(key);
    if (!state.allowed) throw new OverBudget(this.kind, resetSeconds(state));
  }
}
