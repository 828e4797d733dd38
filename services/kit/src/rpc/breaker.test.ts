import { expect, test } from '@jest/globals';
import { Breaker } from './breaker.js';

function aBreaker() {
  let at = 0;
  const breaker = new Breaker(3, 500, () => at);
  return { breaker, pass: (ms: number) => void (at += ms) };
}

test('opens after three failures in a row, and lets one call through after each pause', () => {
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

test('does not count failures that successes come between', () => {
  const { breaker } = aBreaker();
  for (let i = 0; i < 10; i += 1) {
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
  }
  expect(breaker.allows()).toBe(true);
});
