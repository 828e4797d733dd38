import { createHash } from 'node:crypto';

const WINDOW_MS = 15 * 60_000;
const MOST = 10;
/** Accounts remembered at once; past it the oldest are forgotten. */
const REMEMBERED = 10_000;

/** Counts wrong passwords per account, whether it exists or not: ten in fifteen minutes, then the account has to wait. */
export class Attempts {
  readonly #failures = new Map<string, { count: number; until: number }>();

  constructor(private readonly now: () => number) {}

  /**
   * Takes an attempt; answers 0, or the seconds to wait. Counted before the password is looked at, so that many at once
   * are counted too.
   */
  take(email: string): number {
    const key = keyOf(email);
    const now = this.now();
    const known = this.#failures.get(key);
    const entry = known && known.until > now ? known : { count: 0, until: now + WINDOW_MS };
    if (entry.count >= MOST) return Math.ceil((entry.until - now) / 1000);
    entry.count += 1;
    this.#failures.delete(key);
    this.#failures.set(key, entry);
    if (this.#failures.size > REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
    return 0;
  }

  /** The password was right: what went before no longer counts. */
  forget(email: string): void {
    this.#failures.delete(keyOf(email));
  }
}

const keyOf = (email: string): string => createHash('sha256').update(email).digest('base64');
