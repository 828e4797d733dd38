import { expect, test } from '@jest/globals';
import { Double, ObjectId } from 'bson';
import fc from 'fast-check';
import { elements, toRaw } from '../bson/raw.js';
import { encode } from './encode.js';
import { encodeKey } from './key.js';
import { addRawValue, beginKey, finishKey } from './raw-key.js';

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-ascii' }),
  fc.integer(),
  fc.double().map((number) => new Double(number)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.record({ a: fc.integer(), b: fc.string() }),
);

test('a key made from bytes is the key made from the value', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.constantFrom(1, -1)), { minLength: 1, maxLength: 3 }), (fields) => {
      const raw = toRaw(encode(Object.fromEntries(fields.map(([given], i) => [`f${i}`, given]))));
      beginKey();
      [...elements(raw)].forEach(({ type, value: at }, i) => addRawValue(type, raw, at, fields[i]![1]));
      expect(finishKey()).toBe(
        encodeKey(
          fields.map(([given]) => given),
          fields.map(([, direction]) => direction),
        ),
      );
    }),
    { numRuns: 300 },
  );
});
