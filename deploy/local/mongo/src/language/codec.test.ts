import { describe, expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MinKey, ObjectId, serialize, Timestamp } from 'bson';
import fc from 'fast-check';
import { expectError } from './bson.test.fixtures.js';
import { decode } from './decode.js';
import { encode } from './encode.js';
import { selectElements } from './select-elements.js';
import { newDocument } from './values.js';

/**
 * Binary subtypes with a format of their own. The driver adds a second length to the bytes of subtype 2, and checks the
 * bytes of a vector.
 */
const subtypesWithFormat = new Set([2, Binary.SUBTYPE_VECTOR]);
const scalar = fc.oneof(
  fc.integer().map((n) => new Int32(n)),
  fc.double().map((n) => new Double(n)),
  fc.integer({ min: -5, max: 5 }).map((n) => new Double(n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
  fc.string({ unit: 'grapheme' }),
  fc.string({ maxLength: 40 }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc
    .tuple(
      fc.uint8Array(),
      fc.nat(255).filter((subtype) => !subtypesWithFormat.has(subtype)),
    )
    .map(([bytes, subtype]) => new Binary(bytes, subtype)),
);
const key = fc
  .oneof(fc.constantFrom('a', '_id', 'constructor', 'toString', 'é', '$ref', '$id', ''), fc.string({ maxLength: 5 }))
  .filter((name) => !name.includes('\0') && !/^\d+$/.test(name) && name !== '__proto__');
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(
    key,
    fc.oneof({ weight: 5, arbitrary: scalar }, tie('tree'), fc.array(tie('tree'), { maxLength: 3 })),
    { maxKeys: 5, noNullPrototype: true },
  ),
}));

test('selectElements returns the same bytes as encoding only the selected elements', () => {
  fc.assert(
    fc.property(tree, fc.func(fc.boolean()), (document, selects) => {
      const expected = Object.fromEntries(Object.entries(document).filter(([name]) => selects(name)));
      const bytes = selectElements(Buffer.from(serialize(document)), selects);
      expect(Buffer.compare(bytes, serialize(expected))).toBe(0);
    }),
    { numRuns: 300 },
  );
});

describe('a round trip through encode and decode', () => {
  test('returns the original bytes of any document', () => {
    fc.assert(
      fc.property(tree, (document) => {
        const bytes = serialize(document);
        expect(Buffer.compare(encode(decode(bytes)), bytes)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test('preserves doubles and int32s', () => {
    const bytes = serialize({
      int: new Int32(1),
      double: new Double(1),
      zero: new Double(-0),
      large: new Double(2 ** 40),
    });
    expect(decode(bytes)).toMatchObject({ int: 1, double: { value: 1 }, zero: -0, large: 2 ** 40 });
    expect(encode(decode(bytes))).toEqual(Buffer.from(bytes));
  });

  test('preserves field names that are special in JavaScript or in drivers', () => {
    const document = newDocument();
    for (const name of ['__proto__', '_bsontype', 'toBSON', 'hasOwnProperty', '$ref']) document[name] = 'x';
    const decoded = decode(encode(document));
    expect(Object.keys(decoded)).toEqual(['__proto__', '_bsontype', 'toBSON', 'hasOwnProperty', '$ref']);
    expect('valueOf' in decoded).toBe(false);
  });

  test('preserves documents larger than the initial scratch buffer', () => {
    const document = newDocument();
    for (let i = 0; i < 3000; i += 1) document[`field${i}`] = 'ü'.repeat(50);
    expect(decode(encode(document))).toEqual(document);
  });
});

describe('decode', () => {
  test('decodes at an offset', () => {
    const bytes = Buffer.concat([Buffer.from('xyz'), serialize({ a: 'hello' })]);
    expect(decode(bytes, 3)).toEqual({ a: 'hello' });
  });

  test.each([
    ['a size above the number of bytes', Buffer.from([50, 0, 0, 0, 0])],
    ['a size below the minimum', Buffer.from([4, 0, 0, 0, 0])],
    ['a missing terminator', Buffer.from([5, 0, 0, 0, 1])],
    ['an empty buffer', Buffer.alloc(0)],
    ['an unknown type', Buffer.from([8, 0, 0, 0, 0x55, 97, 0, 0])],
    ['a value beyond the document', Buffer.from([11, 0, 0, 0, 0x10, 97, 0, 1, 1, 0, 0])],
    ['a negative string length', Buffer.from([12, 0, 0, 0, 2, 97, 0, 255, 255, 255, 255, 0])],
    ['an unterminated name', Buffer.from([7, 0, 0, 0, 10, 97, 0])],
  ])('rejects %s', (_defect, bytes) => {
    expectError(() => decode(bytes), 22);
  });

  test.each([
    ['decimal', Decimal128.fromString('1')],
    ['timestamp', new Timestamp({ t: 1, i: 1 })],
    ['minKey', new MinKey()],
  ])('rejects the type %s', (name, value) => {
    expectError(
      () => decode(serialize({ a: [{ b: value }] })),
      115,
      `the BSON type ${name} is not supported by this engine`,
    );
  });

  test('decodes a regular expression, which encode rejects', () => {
    const document = decode(serialize({ a: new BSONRegExp('^a.b', 'i') }));
    expect(document).toEqual({ a: new BSONRegExp('^a.b', 'i') });
    expectError(() => encode(document), 115, 'not supported by this engine');
  });

  test('rejects documents nested deeper than the server allows', () => {
    let document: Record<string, unknown> = {};
    for (let i = 0; i < 250; i += 1) document = { a: document };
    expectError(() => decode(serialize(document)), 15, 'nest');
  });
});
