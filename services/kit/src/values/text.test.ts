import { expect, test } from '@jest/globals';
import { copyString } from './copy-string.js';
import {
  checkCharacters,
  checkLines,
  checkText,
  isPrintable,
  isPrintableLines,
  printableLinesPattern,
  printablePattern,
  truncate,
} from './text.js';

test.each(['', 'Sommer 2025', 'Ünïcödé 漢字', '👩‍👩‍👧 emoji', "it's <b>&</b>"])('%j is printable', (text) => {
  expect(isPrintable(text)).toBe(true);
});

test.each(['a\nb', 'a\u0000', '\u007f', '\u0085', '\ud83d', 'x\udc00y', '\u202eevil', 'a\u2028b'])(
  '%j is not printable',
  (text) => {
    expect(isPrintable(text)).toBe(false);
  },
);

test.each(['one line', 'two\nlines', 'two\r\nlines', '\n\n', ''])('%j consists of printable lines', (text) => {
  expect(isPrintableLines(text)).toBe(true);
});

test.each(['a\rb', 'a\n\rb', 'a\tb', 'a\u0000\n', '\ud83d\n', '\u202eevil\n', 'a\u2028b', 'a\u0085b'])(
  '%j does not consist of printable lines',
  (text) => {
    expect(isPrintableLines(text)).toBe(false);
    expect(() => checkLines('notes', text, 500)).toThrow('notes must contain');
  },
);

test('line breaks are stored as LF, and count as one character', () => {
  expect(checkLines('notes', ' a\r\nb\n\nc \n', 6)).toBe('a\nb\n\nc');
  expect(() => checkLines('notes', 'a\r\nb\r\ncd', 5)).toThrow('notes must have at most 5 characters.');
});

test.each(['', 'a', '👩‍👩‍👧', 'a\nb', 'a\r\nb', 'a\rb', 'a\tb', '\u007f', '\u0085', '\u2029', '\u202e', '\u2069', 'é'])(
  'the patterns agree with the functions on %j',
  (text) => {
    expect(new RegExp(printablePattern, 'u').test(text)).toBe(isPrintable(text));
    expect(new RegExp(printableLinesPattern, 'u').test(text)).toBe(isPrintableLines(text));
  },
);

test('a text is trimmed, and must then have at least one and at most the maximum number of code points', () => {
  expect([checkText('title', ' a ', 2), checkText('title', '😀😀', 2)]).toEqual(['a', '😀😀']);
  const refused = (message: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'title', message });
  expect(() => checkText('title', ' ', 2)).toThrow(refused('title must not be empty.'));
  for (const text of ['abc', '😀😀😀', 'abcde']) {
    expect(() => checkText('title', text, 2)).toThrow(refused('title must have at most 2 characters.'));
  }
  const unprintable = refused('title must contain only printable characters.');
  expect(() => checkText('title', '\n', 2)).toThrow(unprintable);
  expect(() => checkCharacters('title', 'a\n')).toThrow(unprintable);
  expect(() => checkCharacters('title', '')).not.toThrow();
});

test.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['a😀', 3, 'a😀'],
  ['a😀', 2, 'a'],
  ['😀ab', 3, '😀a'],
])('the start of %j with at most %d UTF-16 code units is %j', (text, max, start) => {
  expect(truncate(text, max)).toBe(start);
});

test('a copied string equals the original', () => expect(copyString('aÿ')).toBe('aÿ'));
