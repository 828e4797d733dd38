import { describe, expect, test } from '@jest/globals';
import { readRange, type RangeInput } from './range.js';

const NOW = new Date('2026-06-15T10:20:30.400Z');
const read = (input: RangeInput) => readRange(input, NOW);
const iso = (ms: number) => new Date(ms).toISOString();
const bounds = (input: RangeInput) => [iso(read(input).from), iso(read(input).to)];

test('defaults to the last 30 days, by day', () => {
  expect(bounds({})).toEqual(['2026-05-17T00:00:00.000Z', '2026-06-15T10:20:30.400Z']);
  expect(read({})).toMatchObject({ granularity: 'day', tz: 'UTC' });
  expect(read({}).starts).toHaveLength(30);
  expect(bounds({ tz: 'Asia/Jakarta' })[0]).toBe('2026-05-16T17:00:00.000Z');
});

test('a date covers the whole day in the time zone', () => {
  expect(bounds({ from: '2026-01-01', to: '2026-01-01' })).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T23:59:59.999Z',
  ]);
  expect(bounds({ from: '2026-03-29', to: '2026-03-29', tz: 'Europe/Berlin' })).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
  ]);
});

test('a date-time is read with its offset, or in the time zone if it has none', () => {
  expect(bounds({ from: '2026-01-01T00:00:00+07:00', to: '2026-01-01T12:30Z' })).toEqual([
    '2025-12-31T17:00:00.000Z',
    '2026-01-01T12:30:00.000Z',
  ]);
  expect(bounds({ from: '2026-01-01T00:00', to: '2026-01-01T12:30:01.25', tz: 'Asia/Kathmandu' })).toEqual([
    '2025-12-31T18:15:00.000Z',
    '2026-01-01T06:45:01.250Z',
  ]);
  expect(bounds({ from: '2026-01-01t00:00:00-07:30', to: '2026-01-01T12:30:59,999999999z' })).toEqual([
    '2026-01-01T07:30:00.000Z',
    '2026-01-01T12:30:59.999Z',
  ]);
});

test('a range includes its last instant, and can be a single instant', () => {
  const [from, to] = ['2026-01-01T10:00Z', '2026-01-01T11:00Z'];
  expect(read({ from, to, granularity: 'hour' }).starts.map(iso)).toEqual([
    '2026-01-01T10:00:00.000Z',
    '2026-01-01T11:00:00.000Z',
  ]);
  expect(read({ from, to: from }).starts).toHaveLength(1);
});

test('can begin in the year 2000', () => {
  expect(read({ from: '2000-01-01', to: '2000-01-02' }).from).toBe(Date.UTC(2000, 0, 1));
});

test('counts whole quarter hours', () => {
  const { counted } = read({ from: '2026-01-01T10:07Z', to: '2026-01-01T10:30Z' });
  expect([iso(counted.from), iso(counted.to)]).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T10:45:00.000Z']);
  const days = read({ from: '2026-01-01', to: '2026-01-02' }).counted;
  expect([iso(days.from), iso(days.to)]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']);
});

test.each([
  ['2026-01-01', '2026-01-02', 'UTC', 'hour', 48],
  ['2026-10-25', '2026-10-26', 'Europe/Berlin', 'hour', 49],
  ['2026-01-01T10:00Z', '2026-01-03T10:00Z', 'UTC', 'hour', 49],
  ['2026-01-01', '2026-01-03', 'UTC', 'day', 3],
  ['2026-01-01', '2026-06-29', 'UTC', 'day', 180],
  ['2026-01-01T10:00Z', '2026-06-30T10:00Z', 'UTC', 'day', 181],
  ['2026-01-01', '2026-06-30', 'UTC', 'month', 6],
  ['2026-01-01', '2026-12-31', 'America/New_York', 'month', 12],
])('%s to %s in %s has the granularity %s and %i points', (from, to, tz, granularity, points) => {
  const range = read({ from, to, tz });
  expect(range.granularity).toBe(granularity);
  expect(range.starts).toHaveLength(points);
});

test('accepts a granularity', () => {
  expect(read({ from: '2026-01-01', to: '2026-01-31', granularity: 'hour' }).starts).toHaveLength(31 * 24);
  expect(read({ from: '2026-01-01T10:00Z', to: '2026-01-01T11:00Z', granularity: 'month' }).starts.map(iso)).toEqual([
    '2026-01-01T00:00:00.000Z',
  ]);
});

test.each([
  ['2023-06-15T10:00Z', '2026-06-15T10:00Z'],
  ['2023-06-15', '2026-06-15'],
  ['2023-06-16', '2026-06-15'],
])('accepts at most three years, %s to %s', (from, to) => {
  expect(read({ from, to }).starts).toHaveLength(37);
});

test('three years are counted in local time, regardless of clock changes', () => {
  const range = { from: '2023-10-25T12:00', to: '2026-10-25T12:00', tz: 'Europe/Berlin' };
  expect(read(range).starts).toHaveLength(37);
});

test.each([
  ['2023-06-15T10:00:00Z', '2026-06-15T10:00:00.001Z'],
  ['2023-06-15', '2026-06-16'],
])('rejects more than three years, %s to %s', (from, to) => {
  expect(() => read({ from, to })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'from' }));
});

describe('rejects and names the field', () => {
  test.each<[string, RangeInput, string]>([
    ['from after to', { from: '2026-01-02', to: '2026-01-01' }, 'from'],
    ['from in the future', { from: '2027-01-02' }, 'from'],
    ['more than three years', { from: '2020-01-01', to: '2026-01-01' }, 'from'],
    ['all of time', { from: '2000-01-01', to: '9999-12-31' }, 'from'],
    ['text that is not a date', { from: 'yesterday' }, 'from'],
    ['an empty string', { to: '' }, 'to'],
    ['February 30', { to: '2026-02-30' }, 'to'],
    ['month 13', { from: '2026-13-01' }, 'from'],
    ['hour 24', { from: '2026-01-01T24:00Z' }, 'from'],
    ['minute 60', { from: '2026-01-01T10:60Z' }, 'from'],
    ['second 60', { from: '2026-01-01T10:00:60Z' }, 'from'],
    ['a fraction of a second with ten digits', { from: '2026-01-01T10:00:00.1234567890Z' }, 'from'],
    ['an offset of 24 hours', { from: '2026-01-01T00:00+24:00' }, 'from'],
    ['an offset with 60 minutes', { from: '2026-01-01T00:00+00:60' }, 'from'],
    ['text before a date', { from: 'x2026-01-01' }, 'from'],
    ['text after a date', { from: '2026-01-01x' }, 'from'],
    ['text before a date-time', { from: 'x2026-01-01T10:00Z' }, 'from'],
    ['text after a date-time', { from: '2026-01-01T10:00Zx' }, 'from'],
    ['the year 1999', { from: '1999-12-31', to: '2000-01-02' }, 'from'],
    ['a Unix time', { to: '1767225600' }, 'to'],
    ['an invalid granularity', { granularity: 'week' }, 'granularity'],
    ['an invalid zone', { tz: 'Mars/Olympus' }, 'tz'],
    ['an empty zone', { tz: '' }, 'tz'],
  ])('%s', (_, input, field) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
  });
});
