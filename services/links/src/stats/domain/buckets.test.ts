import { describe, expect, test } from '@jest/globals';
import { bucketStarts, type Granularity } from './buckets.js';
import { Zone } from './zone.js';

const starts = (tz: string, granularity: Granularity, from: string, to: string): string[] =>
  bucketStarts(Zone.of(tz)!, granularity, Date.parse(from), Date.parse(to)).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );

describe('days', () => {
  test.each([
    // Clocks go forward on 29 March 2026 at 02:00, and back on 25 October at 03:00.
    [
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00'],
    ],
    [
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-26T12:00Z',
      ['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00'],
    ],
    // Clocks change on 8 March and 1 November 2026, both at 02:00.
    [
      'America/New_York',
      '2026-03-07T12:00Z',
      '2026-03-09T12:00Z',
      ['2026-03-07T05:00', '2026-03-08T05:00', '2026-03-09T04:00'],
    ],
    [
      'America/New_York',
      '2026-10-31T12:00Z',
      '2026-11-02T12:00Z',
      ['2026-10-31T04:00', '2026-11-01T04:00', '2026-11-02T05:00'],
    ],
    ['Asia/Jakarta', '2026-01-01T00:00Z', '2026-01-02T00:00Z', ['2025-12-31T17:00', '2026-01-01T17:00']],
    ['Asia/Kolkata', '2026-01-01T00:00Z', '2026-01-02T00:00Z', ['2025-12-31T18:30', '2026-01-01T18:30']],
    ['Asia/Kathmandu', '2026-01-01T00:00Z', '2026-01-02T00:00Z', ['2025-12-31T18:15', '2026-01-01T18:15']],
    // Clocks change by half an hour: back on 5 April 2026 (+11:00 to +10:30), forward on 4 October.
    [
      'Australia/Lord_Howe',
      '2026-04-04T00:00Z',
      '2026-04-06T00:00Z',
      ['2026-04-03T13:00', '2026-04-04T13:00', '2026-04-05T13:30'],
    ],
    [
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      '2026-10-05T00:00Z',
      ['2026-10-02T13:30', '2026-10-03T13:30', '2026-10-04T13:00'],
    ],
    // Clocks skip midnight of 26 March 2023, so the day starts at 01:00.
    ['Asia/Beirut', '2023-03-25T12:00Z', '2023-03-26T12:00Z', ['2023-03-24T22:00', '2023-03-25T22:00']],
    // There was no 30 December 2011.
    [
      'Pacific/Apia',
      '2011-12-29T12:00Z',
      '2011-12-31T12:00Z',
      ['2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
    ],
    ['UTC', '2026-02-27T23:59Z', '2026-03-01T00:01Z', ['2026-02-27T00:00', '2026-02-28T00:00', '2026-03-01T00:00']],
  ] as const)('start when the local date changes, in %s from %s', (tz, from, to, expected) =>
    expect(starts(tz, 'day', from, to)).toEqual(expected),
  );
});

describe('hours of a local day', () => {
  test.each([
    ['Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z', 23],
    ['Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z', 25],
    ['America/New_York', '2026-03-08T05:00Z', '2026-03-09T04:00Z', 23],
    ['America/New_York', '2026-11-01T04:00Z', '2026-11-02T05:00Z', 25],
    ['Asia/Jakarta', '2026-01-01T17:00Z', '2026-01-02T17:00Z', 24],
    ['Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-05T13:30Z', 24],
    ['Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-04T13:00Z', 23],
  ])('in %s from %s to %s: %d', (tz, from, to, count) => {
    const found = starts(tz, 'hour', from, to);
    expect(found).toHaveLength(count);
    expect(`${found[0]}Z`).toBe(from);
  });

  test('start at minute 0 in local time', () => {
    expect(starts('Asia/Kathmandu', 'hour', '2026-01-01T00:00Z', '2026-01-01T02:00Z')).toEqual([
      '2025-12-31T23:15',
      '2026-01-01T00:15',
      '2026-01-01T01:15',
    ]);
    expect(starts('Asia/Kolkata', 'hour', '2026-01-01T00:30Z', '2026-01-01T02:30Z')).toEqual([
      '2026-01-01T00:30',
      '2026-01-01T01:30',
    ]);
  });

  test('include one that lasts 90 minutes when clocks are set back by half an hour', () => {
    expect(starts('Australia/Lord_Howe', 'hour', '2026-04-04T13:30Z', '2026-04-04T17:00Z')).toEqual([
      '2026-04-04T13:00',
      '2026-04-04T14:00',
      '2026-04-04T15:30',
      '2026-04-04T16:30',
    ]);
  });
});

test('months follow the calendar of the zone', () => {
  expect(starts('America/New_York', 'month', '2026-01-15T00:00Z', '2026-05-01T00:00Z')).toEqual([
    '2026-01-01T05:00',
    '2026-02-01T05:00',
    '2026-03-01T05:00',
    '2026-04-01T04:00',
  ]);
  expect(starts('Asia/Jakarta', 'month', '2026-01-31T16:59Z', '2026-01-31T17:01Z')).toEqual([
    '2025-12-31T17:00',
    '2026-01-31T17:00',
  ]);
});

test('returns every hour of three years', () => {
  expect(starts('Europe/Berlin', 'hour', '2023-12-31T23:00Z', '2026-12-31T23:00Z')).toHaveLength((365 * 3 + 1) * 24);
});

test.each(['Mars/Olympus', '', '+07:00', 'Asia/Jakarta\n', '../etc/passwd', 'x'.repeat(1_000)])(
  'rejects %j as a time zone',
  (name) => expect(Zone.of(name)).toBeUndefined(),
);
