import { expect, test } from '@jest/globals';
import { oneLine, sanitize } from './text.js';

test('a line is trimmed, and has at least 1 and at most `max` characters', () => {
  expect([oneLine(' abc\n', 'name', 3), oneLine('a', 'name', 3)]).toEqual(['abc', 'a']);
  expect(oneLine('😀😀😀', 'name', 3)).toBe('😀😀😀');
});

test.each([
  [' \n', 'name must not be empty.'],
  ['abcd', 'name must have at most 3 characters.'],
  ['😀😀😀😀', 'name must have at most 3 characters.'],
  ['a\nb', 'name must contain only printable characters.'],
])('the line %j is rejected: %s', (text, message) => {
  expect(() => oneLine(text, 'name', 3)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'name', message }),
  );
});

test.each([
  ['abcd', 'abc'],
  [' a ', 'a'],
  ['a\nb', 'a b'],
  ['\n\u0000', ''],
  ['e\u0301', 'é'],
  ['\ud83d', ''],
  ['ab😀d', 'ab😀'],
  ['ab c', 'ab'],
])('the external text %j becomes %j', (text, expected) => expect(sanitize(text, 3)).toBe(expected));
