import type { Transaction } from '../transaction.js';
import type { Sandbox } from '../sandbox.js';
import { ApiError } from './errors.js';

const KEEP_MS = 24 * 60 * 60 * 1000;

/** Requests with an Idempotency-Key: https://docs.stripe.com/api/idempotent_requests */
export class KeyedRequests {
  readonly #inProgress = new Set<string>();

  constructor(private readonly sandbox: Sandbox) {}

  /**
   * Applies a change once per key. Requests with the same key receive the same response for 24 hours. Throws if the
   * parameters differ (400) or the first request is in progress (409). Rejected requests can be retried with the same
   * key.
   */
  async once(
    key: string,
    fingerprint: string,
    run: (tx: Transaction) => object,
  ): Promise<{ body: object; isReplay: boolean }> {
    if (this.#inProgress.has(key)) throw inUse(key);
    const known = this.sandbox.transaction().get('answer', key);
    if (known && known.fingerprint !== fingerprint) throw mismatch(key);
    if (known) return { body: known.body, isReplay: true };
    this.#inProgress.add(key);
    try {
      const body = await this.sandbox.change((tx) => {
        const result = run(tx);
        tx.put('answer', key, { fingerprint, body: result }, tx.nowMs + KEEP_MS);
        return result;
      });
      return { body, isReplay: false };
    } finally {
      this.#inProgress.delete(key);
    }
  }
}

const mismatch = (key: string): ApiError =>
  new ApiError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    { type: 'idempotency_error' },
  );

const inUse = (key: string): ApiError =>
  new ApiError(409, `There is another request in progress with this Idempotency-Key: ${key}.`, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
  });
