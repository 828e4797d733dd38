import { slotMs, WINDOW_SLOTS, type LimitState, type Window } from '@tautan/kit';
import type { Redis } from 'ioredis';

/** Counts requests per key over a sliding window. */
export interface Limiter {
  /** Consumes `cost` points unless none are left. */
  consume(key: string, cost?: number): LimitState | Promise<LimitState>;
  /** Consumes `cost` points even if none are left. */
  charge(key: string, cost: number): LimitState | Promise<LimitState>;
  /** Reads the state without counting. `allowed`: whether a request would be allowed. */
  read(key: string): LimitState | Promise<LimitState>;
}

/**
 * The algorithm of `MemoryLimiter` (`@tautan/kit`) in Redis: a hash of counts by slot, on the server's clock. Returns
 * the fields of `LimitState`.
 */
const script = `
local points, slotMs, slots, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local forced = ARGV[5] == '1'
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
if (allowed or forced) and cost > 0 then
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
    forced: 0 | 1,
  ): Promise<[number, number, number]>;
};

/**
 * Returns a limiter that counts in a Redis or Valkey server, which all replicas share. Its methods reject if a Redis
 * command fails.
 */
export function redisLimiter(redis: Redis, keyPrefix: string, window: Window): Limiter {
  redis.defineCommand('slidingWindow', { numberOfKeys: 1, lua: script });
  const client = redis as Client;
  const take = async (key: string, cost: number, forced: 0 | 1 = 0): Promise<LimitState> => {
    const [allowed, remaining, resetMs] = await client.slidingWindow(
      `${keyPrefix}:${key}`,
      window.points,
      slotMs(window),
      WINDOW_SLOTS,
      cost,
      forced,
    );
    return { allowed: allowed === 1, remaining, resetMs };
  };
  return {
    consume: (key, cost = 1) => take(key, cost),
    charge: (key, cost) => take(key, cost, 1),
    read: (key) => take(key, 0),
  };
}
