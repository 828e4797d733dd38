import { describe, expect, test } from '@jest/globals';
import { doc, expectDocument, expectError } from './bson.test.fixtures.js';
import { compileProjection, project } from './project.js';
import { selectElements } from './select-elements.js';
import { decode } from './decode.js';
import { encode } from './encode.js';

type Fields = Record<string, unknown>;

const projected = (spec: Fields, document: Fields): Record<string, unknown> =>
  project(doc(document), compileProjection(doc(spec)));

const BOOK = {
  _id: 1,
  title: 'T',
  author: { first: 'A', last: 'B' },
  tags: ['x', 'y', 'z'],
  notes: [{ n: 1, t: 'p' }, { n: 2 }, 5],
};

describe('a projection', () => {
  test.each<[Fields, Fields]>([
    [{}, BOOK],
    [{ title: 1 }, { _id: 1, title: 'T' }],
    [{ title: true, _id: 0 }, { title: 'T' }],
    [
      { tags: 1, title: 1 },
      { _id: 1, title: 'T', tags: ['x', 'y', 'z'] },
    ],
    [{ _id: 1 }, { _id: 1 }],
    [{ _id: 0 }, { title: 'T', author: BOOK.author, tags: BOOK.tags, notes: BOOK.notes }],
    [
      { title: 0, notes: 0, tags: false },
      { _id: 1, author: BOOK.author },
    ],
    [
      { title: 0, _id: 1, notes: 0, tags: 0 },
      { _id: 1, author: BOOK.author },
    ],
    [{ missing: 1 }, { _id: 1 }],
  ])('%j returns the selected fields', (spec, expected) => {
    expectDocument(projected(spec, BOOK), expected);
    expectDocument(decode(selectElements(encode(doc(BOOK)), compileProjection(doc(spec)))), expected);
  });

  test('does not change its input', () => {
    const document = doc(BOOK);
    project(document, compileProjection(doc({ tags: 0, notes: 0 })));
    expectDocument(document, BOOK);
  });

  test('ignores inherited members', () => {
    expect(Object.keys(projected({ constructor: 1, toString: 1 }, { a: 1, toString: 'x' }))).toEqual(['toString']);
  });
});

describe('an invalid projection', () => {
  test.each<[Fields, number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ 'a..b': 1 }, 2],
  ])('%j throws error %d', (spec, code) => {
    expectError(() => compileProjection(doc(spec)), code);
  });

  test.each<[Fields, string]>([
    [{ a: { $elemMatch: { x: 1 } } }, "the projection $elemMatch of 'a'"],
    [{ a: { $meta: 'textScore' } }, "the projection $meta of 'a'"],
    [{ a: { b: 1 } }, "the projection b of 'a'"],
    [{ a: '$x' }, "the projection $x of 'a'"],
    [{ a: { $slice: 2 } }, "the projection $slice of 'a'"],
    [{ 'a.b': 1 }, "a projection of the path 'a.b'"],
    [{ 'a.$': 1 }, "'$' in the path 'a.$'"],
  ])('%j throws an error that names the unsupported part', (spec, part) => {
    expectError(() => compileProjection(doc(spec)), 115, `${part} is not supported by this engine`);
  });
});
