import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { MemoryLimiter, resetSeconds } from './sliding-window.js';

const POINTS = 20;
const window = { points: POINTS, seconds: 1 };

test('admits at most the limit in any window, and at least 90% of it at a steady rate', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 50, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(pauses, (sizes) => {
      let now = 5_000;
      const limiter = new MemoryLimiter(window, { now: () => now });
      const admitted: number[] = [];
      for (const size of sizes) {
        now += size;
        if (limiter.consume('a').allowed) admitted.push(now);
      }
      for (const [i, at] of admitted.entries()) {
        expect(admitted.slice(i).filter((each) => each - at < 1_000).length).toBeLessThanOrEqual(POINTS);
      }
    }),
  );
  let now = 0;
  const limiter = new MemoryLimiter(window, { now: () => now });
  let admitted = 0;
  for (; now < 100_000; now += 10) if (limiter.consume('a').allowed) admitted += 1;
  expect(admitted).toBeGreaterThanOrEqual(POINTS * 100 * 0.9);
});

test('returns the remaining points and when more become available', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 2, seconds: 60 }, { now: () => now });
  expect(limiter.read('a')).toMatchObject({ allowed: true, remaining: 2 });
  expect(limiter.consume('a')).toMatchObject({ allowed: true, remaining: 1, resetMs: 60_000 });
  now = 30_000;
  expect(limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0, resetMs: 33_000 });
  expect(limiter.consume('a')).toMatchObject({ allowed: false, remaining: 0, resetMs: 33_000 });
  expect(limiter.read('a')).toMatchObject({ allowed: false });
  expect(limiter.read('b')).toMatchObject({ allowed: true });
  now = 63_000;
  expect(limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0 });
});

test('allows a request of several points if at least one point is left, even if the request exceeds the limit', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 5, seconds: 1 }, { now: () => now });
  expect(limiter.consume('a', 3)).toMatchObject({ allowed: true, remaining: 2 });
  expect(limiter.consume('a', 20)).toMatchObject({ allowed: true, remaining: 0 });
  expect(limiter.consume('a')).toMatchObject({ allowed: false, remaining: 0 });
  now = 1_100;
  expect(limiter.consume('a')).toMatchObject({ allowed: true, remaining: 4 });
  expect(limiter.charge('a', 3)).toMatchObject({ remaining: 1 });
  limiter.charge('a', 3);
  expect(limiter.charge('a', 3)).toMatchObject({ allowed: false, remaining: 0 });
  now = 2_200;
  expect(limiter.read('a')).toMatchObject({ allowed: true, remaining: 5 });
});

test('refunds counted requests', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 2, seconds: 60 }, { now: () => now });
  limiter.consume('a');
  now = 30_000;
  limiter.consume('a');
  limiter.refund('a');
  expect(limiter.read('a')).toMatchObject({ allowed: true, remaining: 1, resetMs: 33_000 });
  limiter.refund('a');
  expect(limiter.read('a')).toMatchObject({ remaining: 2 });
  limiter.refund('a');
  limiter.refund('never counted');
  expect(limiter.read('a')).toMatchObject({ remaining: 2 });
});

test('keeps counting a key whose requests span several windows', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 3, seconds: 1 }, { now: () => now });
  const admitted: number[] = [];
  for (; now < 20_000; now += 100) if (limiter.consume('a').allowed) admitted.push(now);
  for (const [i, at] of admitted.entries()) expect((admitted[i + 3] ?? Infinity) - at).toBeGreaterThanOrEqual(1_000);
});

test('evicts idle keys, and the oldest keys beyond the maximum', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 1, seconds: 1 }, { now: () => now, maxKeys: 1_000 });
  for (let i = 0; i < 200_000; i += 1) {
    limiter.consume(`flood ${i}`);
    if (limiter.size > 1_000) throw new Error(`${limiter.size} keys`);
  }
  expect(limiter.read('flood 199999').allowed).toBe(false);
  expect(limiter.read('flood 199600').allowed).toBe(false);
  expect(limiter.read('flood 0').allowed).toBe(true);
  for (let i = 0; i < 3; i += 1, now += 1_100) limiter.consume('later');
  expect(limiter.size).toBe(1);
});

test.each([
  [0, 1],
  [1_000, 1],
  [1_001, 2],
])('a reset in %d ms is announced as %d s', (resetMs, seconds) => {
  expect(resetSeconds({ allowed: false, remaining: 0, resetMs })).toBe(seconds);
});

test('refunds only one of several simultaneous requests, and only for the given key', () => {
  const limiter = new MemoryLimiter({ points: 5, seconds: 60 }, { now: () => 0 });
  for (const key of ['a', 'a', 'a', 'b']) limiter.consume(key);
  limiter.refund('a');
  expect([limiter.read('a').remaining, limiter.read('b').remaining]).toEqual([3, 4]);
});

test('a request stays counted for a whole window plus at most one slot', () => {
  let now = 49;
  const limiter = new MemoryLimiter({ points: 1, seconds: 1 }, { now: () => now });
  limiter.consume('a');
  now = 1_049;
  expect(limiter.read('a').allowed).toBe(false);
  now = 1_050;
  expect(limiter.read('a').allowed).toBe(true);
});

test('keeps the latest 25,000 keys by default, and at most 50,000', () => {
  const limiter = new MemoryLimiter({ points: 1, seconds: 60 });
  for (let i = 0; i < 80_000; i += 1) limiter.consume(`${i}`);
  expect(limiter.size).toBeLessThanOrEqual(50_000);
  expect(limiter.read('55001').allowed).toBe(false);
});

test('uses a monotonic clock by default', () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  const limiter = new MemoryLimiter({ points: 1, seconds: 60 });
  const { allowed, resetMs } = limiter.consume('a');
  clock.mockReturnValue(3_600_000);
  const later = limiter.read('a');
  clock.mockRestore();
  expect([allowed, resetMs > 50_000, resetMs <= 60_000, later.allowed]).toEqual([true, true, true, false]);
});

test('charges points beyond the limit, which delay the next request', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 2, seconds: 1 }, { now: () => now });
  limiter.consume('a', 2);
  now = 500;
  limiter.charge('a', 2);
  now = 1_100;
  expect(limiter.read('a')).toMatchObject({ allowed: false, remaining: 0 });
});

test('keeps a key until its counts have left the window, and drops it when the next window has passed', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 1, seconds: 1 }, { now: () => now });
  const consumeAt = (ms: number, key: string) => {
    now = ms;
    limiter.consume(key);
    return limiter.size;
  };
  expect([consumeAt(0, 'a'), consumeAt(1_050, 'b'), consumeAt(2_100, 'b')]).toEqual([1, 2, 1]);
  limiter.read('c');
  expect(limiter.size).toBe(1);
  for (const [ms, key] of [
    [3_150, 'd'],
    [3_160, 'e'],
    [3_170, 'f'],
    [4_099, 'g'],
    [4_100, 'h'],
    [5_050, 'i'],
  ] as const) {
    consumeAt(ms, key);
    expect([key, limiter.read('d').allowed]).toEqual([key, ms >= 4_200]);
  }
  expect(limiter.read('g').allowed).toBe(false);
});

test('keeps a key until its last slot has left the window, regardless of when older keys are dropped', () => {
  let now = 0;
  const limiter = new MemoryLimiter({ points: 1, seconds: 1 }, { now: () => now });
  for (const [ms, key] of [
    [49, 'a'],
    [1_000, 'b'],
    [1_049, 'c'],
    [2_049, 'd'],
  ] as const) {
    now = ms;
    limiter.consume(key);
  }
  expect(limiter.read('b').allowed).toBe(false);
});
