import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { excessOf } from './body-bounds.js';

const MAX = 3;
const PLENTY = 10_000;
const none = new Map<string, number>();

/** Counts what `excessOf` counts: one for each list or object, and one for each of its entries after the first. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return Math.max(1, inner.length) + inner.reduce<number>((sum, each) => sum + valuesOf(each), 0);
}

const awkward = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[', ']]', '{,', 'list', '\\\\'));
const lists = fc.array(fc.oneof(awkward, fc.jsonValue()), { maxLength: 2 * MAX, size: 'max' });
const bodies = fc.record(
  { before: fc.jsonValue(), text: awkward, list: lists, other: lists, after: fc.jsonValue() },
  { requiredKeys: [] },
);
const spaces = fc.constantFrom(undefined, 1, '\t');

test('finds exactly the list that is too long', () => {
  const bounds = { values: PLENTY, entries: new Map([['list', MAX]]) };
  fc.assert(
    fc.property(bodies, spaces, (body, space) => {
      // A body is not checked if its number of bytes is at most the maximum number of values.
      const text = JSON.stringify(body, null, space).padEnd(PLENTY + 1);
      const isLong = (body.list?.length ?? 0) > MAX;
      expect(excessOf(Buffer.from(text), bounds)).toEqual(isLong ? { kind: 'entries', field: 'list' } : undefined);
    }),
  );
});

test('counts the values of a JSON document', () => {
  fc.assert(
    fc.property(bodies, spaces, fc.nat(20), (body, space, values) => {
      const text = JSON.stringify(body, null, space).padEnd(values + 1);
      const found = excessOf(Buffer.from(text), { values, entries: none });
      expect(found?.kind).toBe(valuesOf(body) > values ? 'values' : undefined);
    }),
  );
});

test.each([
  ['{"a":"x","b":1}'.padEnd(20), 1, 'b'],
  ['{"a":1,"b":2,"c":3}'.padEnd(30), 2, 'c'],
  ['{"a":{"x":1,"y":2},"b":3}'.padEnd(30), 2, 'a'],
  ['{"a":"x","b":[1,2,3]}'.padEnd(30), 3, 'b'],
])('%j exceeds the limit of %d values in the field %s', (text, values, field) => {
  expect(excessOf(Buffer.from(text), { values, entries: none })).toEqual({ kind: 'values', field });
});

test('terminates for input that is not JSON', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      excessOf(Buffer.from(bytes), { values: 1, entries: none });
    }),
  );
});
