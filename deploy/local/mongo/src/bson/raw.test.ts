import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Doc } from './doc.js';
import { differingFields, rawName } from './raw.js';

const value = fc.oneof(
  fc.integer({ min: 0, max: 2 }),
  fc.constantFrom('a', 'ab', '', null, true),
  fc.array(fc.constantFrom('x', 1)),
);
const fields = fc.array(fc.tuple(fc.constantFrom('a', 'ab', 'abc', 'é', 'b.c', '_id'), value), { maxLength: 6 });
const raw = (pairs: [string, unknown][]) => Doc.of(Object.fromEntries(pairs)).raw;

test('a field that two documents have alike, at the same place, does not differ', () => {
  const [one, other] = [raw([['_id', 1], ['n', 1], ['tags', ['x']]]), raw([['_id', 1], ['n', 2], ['tags', ['x']]])]; // prettier-ignore
  expect([...differingFields(one, other)]).toEqual([rawName('n')]);
  expect([...differingFields(one, one)]).toEqual([]);
});

test('every field that differs, or that one document lacks, is named', () => {
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      const differing = differingFields(raw(one), raw(other));
      const [a, b] = [Object.fromEntries(one), Object.fromEntries(other)];
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const alike = name in a && name in b && JSON.stringify(a[name]) === JSON.stringify(b[name]);
        if (!alike) expect(differing).toContain(rawName(name));
      }
    }),
    { numRuns: 500 },
  );
});
