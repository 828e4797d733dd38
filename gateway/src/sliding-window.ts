import type { Redis } from 'ioredis';

/** Where a key stands. */
export interface Standing {
  allowed: boolean;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Milliseconds until some that count now no longer do, at most the window. */
  resetMs: number;
}

/** Counts requests per key over a sliding window. */
export interface Limiter {
  /** Counts a request unless it exceeds the limit. */
  consume(key: string): Promise<Standing>;
  /** Counts nothing. `allowed`: whether a request would be. */
  read(key: string): Promise<Standing>;
}

/** `points` requests in any `seconds`. */
export interface Window {
  points: number;
  seconds: number;
}

/**
 * A window is counted in so many slots, and in the one that is under way besides: never more than the limit in any window, and
 * at a steady rate at least 95 % of it.
 */
const SLOTS = 20;

const slotMs = ({ seconds }: Window): number => (seconds * 1_000) / SLOTS;

/** The counts of a key by slot, oldest first. */
type Counts = Map<number, number>;

/** Counts in the memory of this process. */
export class MemoryLimiter implements Limiter {
  readonly #keys = new Map<string, Counts>();
  readonly #slotMs: number;
  #sweepAt = 0;

  /** `now`: milliseconds that never go back. */
  constructor(
    private readonly window: Window,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#slotMs = slotMs(window);
  }

  consume = async (key: string): Promise<Standing> => this.#take(key, 1);
  read = async (key: string): Promise<Standing> => this.#take(key, 0);

  #take(key: string, cost: 0 | 1): Standing {
    const now = this.now();
    const slot = Math.floor(now / this.#slotMs);
    this.#sweep(now, slot);
    const counts = this.#keys.get(key) ?? new Map<number, number>();
    forget(counts, slot);
    const used = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const allowed = used < this.window.points;
    const taken = allowed ? cost : 0;
    if (taken > 0) {
      counts.set(slot, (counts.get(slot) ?? 0) + taken);
      this.#keys.set(key, counts);
    }
    const [oldest = slot] = counts.keys();
    return {
      allowed,
      remaining: Math.max(0, this.window.points - used - taken),
      resetMs: Math.min(this.window.seconds * 1_000, (oldest + SLOTS + 1) * this.#slotMs - now),
    };
  }

  /** Once a window: forgets keys of which nothing counts any more. */
  #sweep(now: number, slot: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + this.window.seconds * 1_000;
    for (const [key, counts] of this.#keys) {
      forget(counts, slot);
      if (counts.size === 0) this.#keys.delete(key);
    }
  }
}

function forget(counts: Counts, slot: number): void {
  for (const each of counts.keys()) if (each < slot - SLOTS) counts.delete(each);
}

/** The same in Redis: a hash of counts by slot, by the clock of the server. Returns allowed, remaining and resetMs. */
const script = `
local points, slotMs, slots, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local slot = math.floor(now / slotMs)
local counts = redis.call('HGETALL', KEYS[1])
local used, oldest = 0, slot
for i = 1, #counts, 2 do
  local each = tonumber(counts[i])
  if each < slot - slots then
    redis.call('HDEL', KEYS[1], counts[i])
  else
    used = used + tonumber(counts[i + 1])
    oldest = math.min(oldest, each)
  end
end
local allowed = used < points
if allowed and cost > 0 then
  redis.call('HINCRBY', KEYS[1], slot, cost)
  redis.call('PEXPIRE', KEYS[1], math.ceil(slotMs * (slots + 2)))
  used = used + cost
end
return {allowed and 1 or 0, math.max(0, points - used), math.min(slots * slotMs, math.ceil((oldest + slots + 1) * slotMs - now))}
`;

type Client = Redis & {
  slidingWindow(
    key: string,
    points: number,
    slotMs: number,
    slots: number,
    cost: number,
  ): Promise<[number, number, number]>;
};

/** Counts in a Redis or Valkey that all replicas share. Rejects when that fails. */
export function redisLimiter(redis: Redis, keyPrefix: string, window: Window): Limiter {
  redis.defineCommand('slidingWindow', { numberOfKeys: 1, lua: script });
  const client = redis as Client;
  const take = async (key: string, cost: number): Promise<Standing> => {
    const [allowed, remaining, resetMs] = await client.slidingWindow(`${keyPrefix}:${key}`, window.points, slotMs(window), SLOTS, cost); // prettier-ignore
    return { allowed: allowed === 1, remaining, resetMs };
  };
  return { consume: (key) => take(key, 1), read: (key) => take(key, 0) };
}
