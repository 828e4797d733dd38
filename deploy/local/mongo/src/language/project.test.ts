import { describe, expect, test } from '@jest/globals';
import { doc, expectDocument, expectError } from './bson.test.fixtures.js';
import { compileFilter } from './filter.js';
import { compileProjection } from './project.js';

type Fields = Record<string, unknown>;

const project = (spec: Fields, document: Fields, filter?: Fields): Record<string, unknown> =>
  compileProjection(doc(spec), filter ? { filter: compileFilter(doc(filter)) } : {})(doc(document));

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
    [{ 'author.last': 1 }, { _id: 1, author: { last: 'B' } }],
    [{ author: { last: 1 } }, { _id: 1, author: { last: 'B' } }],
    [
      { 'author.last': 0, notes: 0, tags: 0 },
      { _id: 1, title: 'T', author: { first: 'A' } },
    ],
    [{ 'title.x': 1 }, { _id: 1 }],
    [{ 'notes.n': 1 }, { _id: 1, notes: [{ n: 1 }, { n: 2 }] }],
    [
      { 'notes.n': 0, title: 0, author: 0, tags: 0 },
      { _id: 1, notes: [{ t: 'p' }, {}, 5] },
    ],
    [{ missing: 1 }, { _id: 1 }],
    // Slices.
    [
      { tags: { $slice: 2 }, notes: 0, author: 0 },
      { _id: 1, title: 'T', tags: ['x', 'y'] },
    ],
    [
      { tags: { $slice: -1 }, title: 1 },
      { _id: 1, title: 'T', tags: ['z'] },
    ],
    [
      { tags: { $slice: [1, 1] }, title: 1 },
      { _id: 1, title: 'T', tags: ['y'] },
    ],
    [
      { tags: { $slice: [-2, 1] }, _id: 0, title: 1 },
      { title: 'T', tags: ['y'] },
    ],
    [
      { tags: { $slice: 0 }, title: 1 },
      { _id: 1, title: 'T', tags: [] },
    ],
    [
      { title: { $slice: 1 }, tags: 1 },
      { _id: 1, title: 'T', tags: ['x', 'y', 'z'] },
    ],
    // Matching elements, after the other fields.
    [{ notes: { $elemMatch: { n: 2 } } }, { _id: 1, notes: [{ n: 2 }] }],
    [
      { tags: { $elemMatch: { $gt: 'x' } }, title: 1 },
      { _id: 1, title: 'T', tags: ['y'] },
    ],
    [{ notes: { $elemMatch: { n: 9 } } }, { _id: 1 }],
    // Expressions.
    [{ name: { $concat: ['$author.first', '$author.last'] } }, { _id: 1, name: 'AB' }],
    [{ title: '$author.first', _id: 0 }, { title: 'A' }],
    [
      { title: 1, kind: 'book' },
      { _id: 1, title: 'T', kind: 'book' },
    ],
    [{ n: { $literal: 1 } }, { _id: 1, n: 1 }],
    [{ ns: '$notes.n' }, { _id: 1, ns: [1, 2] }],
    [{ 'author.full': { $concat: ['$author.first', '!'] } }, { _id: 1, author: { full: 'A!' } }],
    [{ tags: { $slice: ['$tags', 1] } }, { _id: 1, tags: ['x'] }],
    [{ pair: ['$title', '$missing'] }, { _id: 1, pair: ['T', null] }],
    [{ gone: '$missing' }, { _id: 1 }],
  ])('%j', (spec, expected) => {
    expectDocument(project(spec, BOOK), expected);
  });

  test('of the matched element takes the one that the query found', () => {
    expectDocument(project({ 'a.$': 1 }, { _id: 1, a: [1, 5, 9], b: 1 }, { a: { $gt: 4 } }), { _id: 1, a: [5] });
    expectDocument(project({ 'a.$': 1, b: 1 }, { _id: 1, a: [{ x: 1 }, { x: 2 }], b: 1 }, { 'a.x': 2 }), {
      _id: 1,
      a: [{ x: 2 }],
      b: 1,
    });
    expectError(() => project({ 'a.$': 1 }, { a: [1] }, { b: null }), 51246);
  });

  test('of a nested array reaches into each document', () => {
    expectDocument(project({ 'a.b': { $slice: 1 } }, { a: [{ b: [1, 2] }, { b: [3, 4] }, 7] }), {
      a: [{ b: [1] }, { b: [3] }, 7],
    });
  });

  test('leaves its input as it is', () => {
    const document = doc(BOOK);
    compileProjection(doc({ tags: { $slice: 1 }, 'notes.n': 0 }))(document);
    expectDocument(document, BOOK);
  });
});

describe('a bad projection', () => {
  test.each<[Fields, number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 0, b: '$x' }, 31252],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ 'a.b': { $elemMatch: { x: 1 } } }, 31275],
    [{ a: { $elemMatch: 1 } }, 31274],
    [{ a: { $slice: 'x' } }, 28667],
    [{ a: { $slice: [1, -1] } }, 28724],
    [{ a: { $nope: 1 } }, 168],
    [{ 'a..b': 1 }, 15998],
    [{ a: {} }, 51270],
    [{ $a: 1 }, 16410],
    [{ a: { $meta: 'textScore' } }, 115],
  ])('%j is error %d', (spec, code) => {
    expectError(() => compileProjection(doc(spec)), code);
  });
});

test('fields named like inherited members are fields', () => {
  expect(Object.keys(project({ constructor: 1, toString: 1 }, { a: 1, toString: 'x' }))).toEqual(['toString']);
});
