import { expect, test } from '@jest/globals';
import { addPeriods } from './periods.js';

const at = (day: string): number => Date.parse(`${day}T10:20:30Z`) / 1000;

test.each([
  ['2026-11-21', 1, '2026-12-21'],
  ['2026-12-31', 1, '2027-01-31'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
])('%s plus %d months is %s', (from, count, to) => {
  expect(addPeriods(at(from), 'month', count)).toBe(at(to));
});

test("returns to the anchor's day after a short month", () => {
  const anchor = at('2026-01-31');
  const february = addPeriods(anchor, 'month', 1, anchor);
  expect(addPeriods(february, 'month', 1, anchor)).toBe(at('2026-03-31'));
});

test('adds days, weeks and years', () => {
  expect(addPeriods(at('2026-12-31'), 'day', 2)).toBe(at('2027-01-02'));
  expect(addPeriods(at('2026-11-21'), 'week', 2)).toBe(at('2026-12-05'));
  expect(addPeriods(at('2028-02-29'), 'year', 1)).toBe(at('2029-02-28'));
});
