import { describe, expect, test } from '@jest/globals';
import { parseFutureTime, parseTime, parseTimeBound } from './times.js';

const now = new Date('2030-06-01T00:00:00Z');

describe('a time', () => {
  test.each([
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05.678Z', '2030-01-02T03:04:05.678Z'],
    ['2030-01-02T03:04:05+05:30', '2030-01-01T21:34:05.000Z'],
    ['2030-01-02T03:04:05+0530', '2030-01-01T21:34:05.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2030-01-02t03:04z', '2030-01-02T03:04:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('is parsed from %s', (text, iso) => expect(parseTime('at', text).toISOString()).toBe(iso));

  test.each([
    '',
    'now',
    '2030',
    '2030-01-02',
    '2030-01-02T03:04:05',
    '2030-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-32T00:00:00Z',
    '2030-01-02T25:00:00Z',
    '2030-01-02T00:00:00+99:99',
    '1893456000',
    ' 2030-01-02T03:04:05Z',
    '+002030-01-02T03:04:05Z',
    '+012030-01-02T03:04:05Z',
    '2030-01-02T03:04:05Z\u0000',
    // In UTC, these are in the years 10000 and -1, whose ISO 8601 form could not be parsed again.
    '9999-12-31T23:00:00-02:00',
    '0000-01-01T00:00:00+01:00',
  ])('cannot be parsed from %j', (text) => {
    expect(() => parseTime('at', text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'at' }));
  });

  test('of expiry must be in the future', () => {
    expect(parseFutureTime('expiresAt', '2030-06-01T00:00:00.001Z', now)).toEqual(new Date(now.getTime() + 1));
    expect(() => parseFutureTime('expiresAt', '2030-06-01T00:00:00Z', now)).toThrow(
      expect.objectContaining({ field: 'expiresAt' }),
    );
  });

  test('that bounds a range is a date-time, or the start or the end of a date', () => {
    const bounds = (text: string) =>
      (['start', 'end'] as const).map((bound) => parseTimeBound('from', text, bound).toISOString());
    expect(bounds('2030-01-02')).toEqual(['2030-01-02T00:00:00.000Z', '2030-01-02T23:59:59.999Z']);
    expect(bounds('2030-01-02T03:04:05Z')).toEqual(['2030-01-02T03:04:05.000Z', '2030-01-02T03:04:05.000Z']);
    for (const text of ['', '2030-02-30', '02030-01-02', '2030-1-2']) {
      expect(() => bounds(text)).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          field: 'from',
          message: 'from must be an ISO 8601 date, or a date-time with a UTC offset.',
        }),
      );
    }
  });
});
