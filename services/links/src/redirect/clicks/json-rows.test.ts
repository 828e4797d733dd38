import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonRows } from './json-rows.js';

test('any rows read back as they were written', () => {
  const cell = fc.oneof(fc.integer({ min: -1, max: 120 }), fc.maxSafeInteger(), fc.constantFrom('h', 'b', 'l', 'q'));
  const rows = fc.array(fc.array(cell, { maxLength: 11 }), { maxLength: 200 });
  // One for all: what it wrote before must leave no trace.
  const json = new JsonRows();
  fc.assert(
    fc.property(rows, (written) => {
      for (const row of written) {
        json.begin();
        for (const each of row) if (typeof each === 'number') json.number(each); else json.letter(each); // prettier-ignore
        json.end();
      }
      expect(json.count).toBe(written.length);
      expect(JSON.parse(json.take('[', ']').toString())).toEqual(written.map((row) => row.map((each) => (Object.is(each, -0) ? 0 : each)))); // prettier-ignore
    }),
  );
});
