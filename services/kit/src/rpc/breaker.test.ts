import { expect, test } from '@jest/globals';
import { Breaker } from './breaker.js';

function aBreaker() {
  let at = 0;
  const breaker = new Breaker(3, 500, () => at);
  return { breaker, pass: (ms: number) => void (at += ms) };
}

test('opens after three consecutive failures, and allows one call after each cool-down', () => {
  const { breaker, pass } = aBreaker();
  for (let i = 0; i < 3; i += 1) {
    expect(breaker.allows()).toBe(true);
    breaker.failed();
  }
  expect(breaker.allows()).toBe(false);
  pass(500);
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
  breaker.failed();
  pass(499);
  expect(breaker.allows()).toBe(false);
});

test('closes with the first success', () => {
  const { breaker, pass } = aBreaker();
  for (let i = 0; i < 3; i += 1) breaker.failed();
  pass(500);
  expect(breaker.allows()).toBe(true);
  breaker.succeeded();
  expect([breaker.allows(), breaker.allows(), breaker.allows()]).toEqual([true, true, true]);
});

test('only counts consecutive failures', () => {
  const { breaker } = aBreaker();
  for (let i = 0; i < 10; i += 1) {
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
  }
  expect(breaker.allows()).toBe(true);
});

test('counts as rejecting while it is open and a call was refused or failed within the last minute', () => {
  const { breaker, pass } = aBreaker();
  const fail = (times: number): void => {
    for (let i = 0; i < times; i += 1) breaker.failed();
  };
  fail(2);
  expect(breaker.isRejecting).toBe(false);
  fail(1);
  expect(breaker.isRejecting).toBe(true);
  pass(60_000);
  expect(breaker.isRejecting).toBe(true);
  pass(1);
  expect(breaker.isRejecting).toBe(false);
  // The first call is let through as a probe. Only the second call is refused.
  expect([breaker.allows(), breaker.isRejecting]).toEqual([true, false]);
  expect([breaker.allows(), breaker.isRejecting]).toEqual([false, true]);
  pass(60_001);
  fail(1);
  expect(breaker.isRejecting).toBe(true);
  breaker.succeeded();
  expect(breaker.isRejecting).toBe(false);
});

test('stays closed below the threshold, and any failure while it is open restarts the cool-down', () => {
  const { breaker, pass } = aBreaker();
  breaker.failed();
  breaker.failed();
  expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
  breaker.failed();
  pass(400);
  breaker.failed();
  pass(499);
  expect(breaker.allows()).toBe(false);
  pass(1);
  expect(breaker.allows()).toBe(true);
});
