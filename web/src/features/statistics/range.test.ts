import { expect, test } from '@jest/globals';
import { isKept, rangeBefore, rangeOf, statisticsSearch } from './range.js';

const NOW = new Date('2026-06-15T20:20:00.000Z');
const JAKARTA = 'Asia/Jakarta';

test('a preset starts at the beginning of a day in the time zone and ends now', () => {
  expect(rangeOf({ tz: JAKARTA }, NOW)).toEqual({ from: '2026-05-18', tz: JAKARTA, granularity: 'day' });
  expect(rangeOf({ tz: 'UTC', range: '7d' }, NOW)).toEqual({ from: '2026-06-09', tz: 'UTC', granularity: 'day' });
  expect(rangeOf({ tz: 'UTC', range: 'today' }, NOW)).toEqual({ from: '2026-06-15', tz: 'UTC', granularity: 'hour' });
  expect(rangeOf({ tz: 'UTC', range: '12m' }, NOW)).toEqual({ from: '2025-07-01', tz: 'UTC', granularity: 'month' });
});

test('two dates replace the preset, and determine the granularity if no granularity is selected', () => {
  const search = { range: '7d', from: '2026-01-01', to: '2026-01-02', tz: 'UTC' } as const;
  expect(rangeOf(search, NOW)).toEqual({ from: '2026-01-01', to: '2026-01-02', tz: 'UTC', granularity: 'hour' });
  expect(rangeOf({ ...search, by: 'month' }, NOW).granularity).toBe('month');
});

test('the previous period is the range moved back by its length, or by a year if the granularity is month and the range is at most a year', () => {
  const before = (search: object) => rangeBefore(rangeOf(statisticsSearch({ tz: 'UTC', ...search }), NOW), NOW);
  expect(before({ range: '7d' })).toMatchObject({ from: '2026-06-02', to: '2026-06-08T20:20:00.000Z' });
  expect(before({ range: 'today' })).toMatchObject({ from: '2026-06-14', to: '2026-06-14T20:20:00.000Z' });
  expect(before({ range: '12m' })).toMatchObject({ from: '2024-07-01', to: '2025-06-15T20:20:00.000Z' });
  expect(before({ from: '2026-01-11', to: '2026-01-20' })).toMatchObject({ from: '2026-01-01', to: '2026-01-10' });
  expect(before({ from: '2024-01-01', to: '2025-12-31' })).toMatchObject({ from: '2021-12-31', to: '2023-12-31' });
});

test('ignores invalid search parameters', () => {
  const search = { range: '5d', from: '2026-02-01', to: '2026-01-01', tz: 'Mars/Olympus', by: 'week' };
  expect(statisticsSearch(search)).toEqual({});
  expect(statisticsSearch({ from: '2026-01-01' })).toEqual({});
  expect(statisticsSearch({ from: '2026-02-01', to: '2026-02-30' })).toEqual({});
});

test('statistics of a UTC day are kept for the retention period after the day ends, or forever if none is set', () => {
  const kept = (from: string, days: number | null, tz = 'UTC') => isKept({ from, tz, granularity: 'day' }, days, NOW);
  expect([kept('2026-05-16', 30), kept('2026-05-15', 30)]).toEqual([true, false]);
  expect([kept('2025-06-15', 365), kept('2025-06-14', 365)]).toEqual([true, false]);
  expect(kept('2020-01-01', null)).toBe(true);
  // May 16 begins on May 15 (UTC) in Jakarta, and on May 16 in New York.
  expect([kept('2026-05-17', 30, JAKARTA), kept('2026-05-16', 30, JAKARTA)]).toEqual([true, false]);
  expect([kept('2026-05-16', 30, 'America/New_York'), kept('2026-05-15', 30, 'America/New_York')]).toEqual([
    true,
    false,
  ]);
});
