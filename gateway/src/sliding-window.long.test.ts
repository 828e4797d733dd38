import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { hasRedis, startRedis } from './testing/redis.js';
import { redisLimiter, type Limiter } from './sliding-window.js';

const POINTS = 20;
const window = { points: POINTS, seconds: 1 };

/**
 * Consumes one point after another with each limiter for 2.5 s. Returns the maximum number of requests that were
 * certainly admitted within one second.
 */
async function maxInOneSecond(limiters: Limiter[]): Promise<number> {
  const admitted: { before: number; after: number }[] = [];
  const end = performance.now() + 2_500;
  await Promise.all(
    limiters.map(async (limiter) => {
      while (performance.now() < end) {
        const before = performance.now();
        if ((await limiter.consume('a')).allowed) admitted.push({ before, after: performance.now() });
        await sleep(2);
      }
    }),
  );
  // The limiters admitted more than the points of one window.
  expect(admitted.length).toBeGreaterThanOrEqual(POINTS * 1.8);
  const within = (from: number) =>
    admitted.filter(({ before, after }) => before >= from && after <= from + 1_000).length;
  return Math.max(...admitted.map(({ before }) => within(before)));
}

(hasRedis ? describe : describe.skip)('in Redis', () => {
  test('replicas together admit at most the limit in any second', async () => {
    const server = await startRedis();
    const clients = [1, 2, 3].map(() => new Redis(server.url));
    try {
      const limiters = clients.map((client) => redisLimiter(client, 'test', window));
      expect(await maxInOneSecond(limiters)).toBeLessThanOrEqual(POINTS);
      // No key remains.
      await sleep(1_500);
      expect(await clients[0]!.keys('*')).toEqual([]);
      expect(await limiters[0]!.read('a')).toMatchObject({ allowed: true, remaining: POINTS });
      // A request can count as several points, and consume more than are left.
      expect(await limiters[0]!.consume('a', POINTS - 1)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiters[1]!.consume('a', POINTS)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiters[2]!.consume('a')).toMatchObject({ allowed: false, remaining: 0 });
      expect(await limiters[0]!.charge('b', 2 * POINTS)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiters[0]!.charge('b', 1)).toMatchObject({ allowed: false, remaining: 0 });
    } finally {
      for (const client of clients) client.disconnect();
      await server.stop();
    }
  });
});
