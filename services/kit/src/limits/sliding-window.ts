/** The rate limit state of a key, such as a client address. */
export interface LimitState {
  /** Whether any points were left before this call. */
  allowed: boolean;
  /** Number of points left now. */
  remaining: number;
  /** Milliseconds until the oldest counted requests leave the window, at most the length of the window. */
  resetMs: number;
}

/** Returns the whole seconds until the oldest counted requests leave the window, at least 1. */
export const resetSeconds = ({ resetMs }: LimitState): number => Math.max(1, Math.ceil(resetMs / 1_000));

/** Allows `points` requests in any period of `seconds`. */
export interface Window {
  points: number;
  seconds: number;
}

/**
 * Number of slots of a window. The current slot and this many earlier ones are counted, so a request is counted for up
 * to one slot longer than the window. No window therefore allows more requests than the limit, and a sustained rate is
 * limited to about 95% of it.
 */
export const WINDOW_SLOTS = 20;

/** Length of a slot in ms. */
export const slotMs = ({ seconds }: Window): number => (seconds * 1_000) / WINDOW_SLOTS;

export interface MemoryLimiterOptions {
  /** Monotonic time, milliseconds. */
  now?: () => number;
  /** Maximum number of keys in memory, at least 2. The least recently counted are evicted. */
  maxKeys?: number;
}

/** The counts of a key by slot, oldest first. */
type Counts = Map<number, number>;

const MAX_KEYS = 50_000;

/** Counts requests per key over a sliding window, in the memory of this process. */
export class MemoryLimiter {
  /**
   * Two generations of keys, both bounded: those counted since the last rotation, and those counted only before it. A
   * rotation drops the older generation.
   */
  #recent = new Map<string, Counts>();
  #older = new Map<string, Counts>();
  #rotateAt = -Infinity;
  readonly #slotMs: number;
  readonly #now: () => number;
  readonly #maxGeneration: number;

  constructor(
    private readonly window: Window,
    { now = () => performance.now(), maxKeys = MAX_KEYS }: MemoryLimiterOptions = {},
  ) {
    this.#slotMs = slotMs(window);
    this.#now = now;
    this.#maxGeneration = Math.floor(maxKeys / 2);
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Counts a request as `cost` points if any points are left. */
  consume(key: string, cost = 1): LimitState {
    return this.#take(key, cost);
  }

  /** Counts points even if the limit is exceeded. */
  charge(key: string, cost: number): LimitState {
    return this.#take(key, cost, true);
  }

  /** Returns the state of a key without counting a request. */
  read(key: string): LimitState {
    return this.#take(key, 0);
  }

  /** Subtracts one point from the latest slot. */
  refund(key: string): void {
    const counts = this.#countsOf(key);
    const [slot, count] = [...(counts ?? [])].at(-1) ?? [];
    if (slot === undefined) return;
    if (count! > 1) counts!.set(slot, count! - 1);
    else counts!.delete(slot);
  }

  #take(key: string, cost: number, forced = false): LimitState {
    const now = this.#now();
    const slot = Math.floor(now / this.#slotMs);
    const counts = this.#countsOf(key) ?? new Map<number, number>();
    for (const each of counts.keys()) if (each < slot - WINDOW_SLOTS) counts.delete(each);
    let used = 0;
    for (const count of counts.values()) used += count;
    const allowed = used < this.window.points;
    const taken = allowed || forced ? cost : 0;
    if (taken > 0) {
      counts.set(slot, (counts.get(slot) ?? 0) + taken);
      this.#keep(key, counts, now);
    }
    const [oldest = slot] = counts.keys();
    return {
      allowed,
      remaining: Math.max(0, this.window.points - used - taken),
      resetMs: Math.min(this.window.seconds * 1_000, (oldest + WINDOW_SLOTS + 1) * this.#slotMs - now),
    };
  }

  #countsOf(key: string): Counts | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  /**
   * Stores the counts of a key. First rotates the generations, in constant time, if the recent one is full or all
   * counts of the older one have left the window.
   */
  #keep(key: string, counts: Counts, now: number): void {
    if (now >= this.#rotateAt || this.#recent.size >= this.#maxGeneration) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#rotateAt = now + (WINDOW_SLOTS + 1) * this.#slotMs;
    }
    if (this.#recent.has(key)) return;
    this.#older.delete(key);
    this.#recent.set(key, counts);
  }
}
