import { expect, test } from '@jest/globals';
import { Breaker } from './breaker.js';

function aBreaker() {
  let at = 0;
  const breaker = new Breaker(3, 500, () => at);
  const changes: boolean[] = [];
  breaker.onChange = (open) => void changes.push(open);
  return { breaker, changes, pass: (ms: number) => void (at += ms) };
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

test('reports each opening and closing exactly once', () => {
  const { breaker, changes } = aBreaker();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  expect(changes).toEqual([]);
  for (let i = 0; i < 5; i += 1) breaker.failed();
  expect(changes).toEqual([true]);
  breaker.succeeded();
  breaker.succeeded();
  expect(changes).toEqual([true, false]);
  for (let i = 0; i < 3; i += 1) breaker.failed();
  breaker.succeeded();
  expect(changes).toEqual([true, false, true, false]);
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
