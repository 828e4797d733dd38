import { expect, jest, test } from '@jest/globals';
import { LeaseWatch } from './lease-watch.js';

const LEASE_MS = 1_000;

function aWatch() {
  let clock = 0;
  const watch = new LeaseWatch(LEASE_MS, () => clock);
  const at = (ms: number, beats: Record<string, number>) => {
    clock = ms;
    return Object.fromEntries(watch.stale(new Map(Object.entries(beats))));
  };
  return { at };
}

test('a lease is stale once its beat has not changed for the lifetime of a lease, and not before', () => {
  const { at } = aWatch();
  for (let ms = 0; ms < LEASE_MS; ms += 100) expect(at(ms, { a: 7, b: ms })).toEqual({});
  expect(at(LEASE_MS, { a: 7, b: LEASE_MS })).toEqual({ a: 7 });
});

test('the time until a lease is stale starts again when its beat changes, and after the lease was missing', () => {
  const { at } = aWatch();
  for (let ms = 0; ms < 900; ms += 100) at(ms, { moved: 0, gone: 0 });
  at(900, { moved: 1 });
  for (let ms = 1_000; ms < 1_900; ms += 100) expect(at(ms, { moved: 1, gone: 0 })).toEqual({});
  expect(at(1_900, { moved: 1, gone: 0 })).toEqual({ moved: 1 });
  expect(at(2_000, { gone: 0 })).toEqual({ gone: 0 });
});

test('the time until a lease is stale starts again after a pause in the reads', () => {
  const { at } = aWatch();
  for (let ms = 0; ms <= 500; ms += 100) at(ms, { a: 0 });
  expect(at(60_000, { a: 0 })).toEqual({});
  for (let ms = 60_100; ms < 61_000; ms += 100) expect(at(ms, { a: 0 })).toEqual({});
  expect(at(61_000, { a: 0 })).toEqual({ a: 0 });
});

test('after a gap of half the lifetime between two reads, the time until a lease is stale starts again; after a shorter gap, it does not', () => {
  const seldom = aWatch();
  for (const ms of [0, 500, 1_000, 1_500]) expect(seldom.at(ms, { a: 0 })).toEqual({});
  const often = aWatch();
  for (const ms of [0, 499, 998]) expect(often.at(ms, { a: 0 })).toEqual({});
  expect(often.at(1_000, { a: 0 })).toEqual({ a: 0 });
});

test('time is measured with a monotonic clock by default', () => {
  const clock = jest.spyOn(performance, 'now');
  const watch = new LeaseWatch(LEASE_MS);
  const staleAt = (ms: number) => {
    clock.mockReturnValue(ms);
    return [...watch.stale(new Map([['a', 0]])).keys()];
  };
  expect([0, 400, 800, 1_000].map(staleAt)).toEqual([[], [], [], ['a']]);
  clock.mockRestore();
});
