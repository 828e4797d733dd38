import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonBytes } from './json-bytes.js';

// A shared instance: earlier output must leave no trace.
const json = new JsonBytes();

function written(): unknown {
  const { bytes } = json;
  const whole = Buffer.alloc(bytes + 2, '[');
  expect(json.moveTo(whole, 1)).toBe(bytes + 1);
  whole.write(']', bytes + 1);
  return JSON.parse(whole.toString());
}

test('any rows can be parsed back', () => {
  const cell = fc.oneof(fc.integer({ min: -1, max: 120 }), fc.maxSafeInteger(), fc.constantFrom('h', 'b', 'l', 'q'));
  const anyRows = fc.array(fc.array(cell, { maxLength: 11 }), { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(anyRows, (rows) => {
      for (const row of rows) {
        json.beginRow();
        for (const each of row)
          if (typeof each === 'number') json.number(each);
          else json.letter(each);
        json.endRow();
      }
      expect(json.rows).toBe(rows.length);
      expect(written()).toEqual(rows.map((row) => row.map((each) => (Object.is(each, -0) ? 0 : each))));
    }),
  );
});

test('any texts can be parsed back', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme', minLength: 500 }),
    fc.constantFrom('\ud800', '"', '\\', '\x7f', '\0'.repeat(2_000)),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      for (const each of texts) json.text(each);
      expect(written()).toEqual(texts);
    }),
  );
});
