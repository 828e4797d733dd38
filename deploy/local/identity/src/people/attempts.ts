import { createHash } from 'node:crypto';

const WINDOW_MS = 15 * 60_000;
const MAX_ATTEMPTS = 10;
/** Maximum number of email addresses in memory. Those whose last attempt was longest ago are evicted. */
const MAX_ADDRESSES = 10_000;

/** Limits wrong passwords to ten in fifteen minutes per email address, whether the account exists or not. */
export class Attempts {
  readonly #failures = new Map<string, { count: number; until: number }>();

  constructor(private readonly now: () => number) {}

  /**
   * Counts an attempt. Returns 0 if it is allowed, otherwise the seconds to wait. Must be called before the password is
   * checked, so that concurrent attempts are counted.
   */
  take(email: string): number {
    const key = keyOf(email);
    const now = this.now();
    const known = this.#failures.get(key);
    const entry = known && known.until > now ? known : { count: 0, until: now + WINDOW_MS };
    if (entry.count >= MAX_ATTEMPTS) return Math.ceil((entry.until - now) / 1000);
    entry.count += 1;
    this.#failures.delete(key);
    this.#failures.set(key, entry);
    if (this.#failures.size > MAX_ADDRESSES) this.#failures.delete(this.#failures.keys().next().value!);
    return 0;
  }

  /** Resets the count after a correct password. */
  forget(email: string): void {
    this.#failures.delete(keyOf(email));
  }
}

const keyOf = (email: string): string => createHash('sha256').update(email).digest('base64');
