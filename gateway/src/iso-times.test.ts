import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoTimes } from './iso-times.js';

test('formats instants like Date', () => {
  const anInstant = fc.date({ noInvalidDate: true }).map(Number);
  fc.assert(
    fc.property(fc.array(anInstant), (instants) => {
      expect(isoTimes(instants)).toEqual(instants.map((instant) => new Date(instant).toISOString()));
    }),
  );
});
