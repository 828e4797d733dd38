import { expect, test } from '@jest/globals';
import { checkMaxClicks, reachedLimit, remainingUnder, statusAt } from './expiry.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');

test.each([1, 1_000_000_000])('a limit of %d clicks is accepted', (clicks) =>
  expect(checkMaxClicks(clicks)).toBe(clicks),
);

test.each([0, -1, 1.5, NaN, 1_000_000_001])('a limit of %d clicks is rejected, naming the field', (clicks) => {
  const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });
  expect(() => checkMaxClicks(clicks)).toThrow(refused('maxClicks'));
  expect(() => checkMaxClicks(clicks, 'maxScans')).toThrow(refused('maxScans'));
});

test.each([
  [null, null, undefined],
  [later, 1, undefined],
  [now, 0, 'expiresAt'],
  [later, 0, 'maxClicks'],
  [null, -1, 'maxClicks'],
])('with expiry %j and %j clicks left, the reached limit is %j', (expiresAt, remaining, limit) => {
  expect(reachedLimit({ expiresAt, remaining }, now)).toBe(limit);
});

test('an active link is expired once a limit is reached', () => {
  expect(statusAt({ status: 'active', expiresAt: null }, 0, now)).toBe('expired');
  expect(statusAt({ status: 'active', expiresAt: now }, null, now)).toBe('expired');
  expect(statusAt({ status: 'active', expiresAt: null }, 1, now)).toBe('active');
  expect(statusAt({ status: 'archived', expiresAt: now }, 0, now)).toBe('archived');
});

test.each([
  [null, 5, 2, 3, null],
  // If the number of clicks left under the old limit is known, only the clicks used under the old limit count toward
  // the new limit, not all clicks of the link.
  [9, 5, 2, 100, 6],
  [3, 5, 2, 100, 0],
  [2, 5, 2, 100, -1],
  [5, 2, -1, 100, 2],
  [5, 5, 2, 100, 2],
  [9, null, null, 4, 5],
  [9, null, 7, 4, 5],
  [9, 5, null, 4, 5],
])(
  'a limit of %j instead of %j, with %j clicks left and %d counted so far, leaves %j',
  (next, before, remaining, clickCount, left) => {
    expect(remainingUnder(next, { maxClicks: before, clickCount }, remaining)).toBe(left);
  },
);
