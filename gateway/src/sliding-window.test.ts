import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { hasRedis, startRedis } from './testing/redis.js';
import { MemoryLimiter, redisLimiter, type Limiter } from './sliding-window.js';

const POINTS = 20;
const window = { points: POINTS, seconds: 1 };

test('never admits more than the limit in any window, and at least 90 % of it at a steady rate', async () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 50, maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(pauses, async (sizes) => {
      let now = 5_000;
      const limiter = new MemoryLimiter(window, () => now);
      const admitted: number[] = [];
      for (const size of sizes) {
        now += size;
        if ((await limiter.consume('a')).allowed) admitted.push(now);
      }
      for (const [i, at] of admitted.entries()) {
        expect(admitted.slice(i).filter((each) => each - at < 1_000).length).toBeLessThanOrEqual(POINTS);
      }
    }),
  );
  let now = 0;
  const limiter = new MemoryLimiter(window, () => now);
  let admitted = 0;
  for (; now < 100_000; now += 10) if ((await limiter.consume('a')).allowed) admitted += 1;
  expect(admitted).toBeGreaterThanOrEqual(POINTS * 100 * 0.9);
});

test('tells what remains and when some of it comes back, and forgets keys that are idle', async () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 2, seconds: 60 }, () => now);
  expect(await limiter.read('a')).toMatchObject({ allowed: true, remaining: 2 });
  expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 1, resetMs: 60_000 });
  now = 30_000;
  expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0, resetMs: 33_000 });
  expect(await limiter.consume('a')).toMatchObject({ allowed: false, remaining: 0, resetMs: 33_000 });
  expect(await limiter.read('a')).toMatchObject({ allowed: false });
  expect(await limiter.read('b')).toMatchObject({ allowed: true });
  now = 63_000;
  expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0 });
});

/** Consumes as fast as it goes for 2.5 s. Counts the most that were surely admitted within one second. */
async function mostInOneSecond(limiters: Limiter[]): Promise<number> {
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
  expect(admitted.length).toBeGreaterThanOrEqual(POINTS * 1.8);
  const within = (from: number) =>
    admitted.filter(({ before, after }) => before >= from && after <= from + 1_000).length;
  return Math.max(...admitted.map(({ before }) => within(before)));
}

(hasRedis ? describe : describe.skip)('in Redis', () => {
  test('replicas together never admit more than the limit in any second', async () => {
    const server = await startRedis();
    const clients = [1, 2, 3].map(() => new Redis(server.url));
    try {
      const limiters = clients.map((client) => redisLimiter(client, 'test', window));
      expect(await mostInOneSecond(limiters)).toBeLessThanOrEqual(POINTS);
      // Nothing stays behind.
      await sleep(1_500);
      expect(await clients[0]!.keys('*')).toEqual([]);
      expect(await limiters[0]!.read('a')).toMatchObject({ allowed: true, remaining: POINTS });
    } finally {
      for (const client of clients) client.disconnect();
      await server.stop();
    }
  });
});
