import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoTimes, QUARTER_MS } from './quarters.js';

test('formats quarter hours like Date', () => {
  const aQuarter = fc.integer({
    min: Date.parse('2000-01-01') / QUARTER_MS,
    max: Date.parse('2100-01-01') / QUARTER_MS,
  });
  fc.assert(
    fc.property(fc.array(aQuarter), (quarters) => {
      const starts = quarters.toSorted((a, b) => a - b).map((quarter) => quarter * QUARTER_MS);
      expect(isoTimes(starts)).toEqual(starts.map((start) => new Date(start).toISOString()));
    }),
  );
});
