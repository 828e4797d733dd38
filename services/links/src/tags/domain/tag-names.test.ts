import { expect, test } from '@jest/globals';
import { byName, checkTagNames, tagKey } from './tag-names.js';

const refusal = (field: string): unknown => expect.objectContaining({ code: 'VALIDATION_ERROR', field });

test.each(['', '   ', 'a\tb', 'x'.repeat(51), '\ud800'])('rejects the tag name %j, naming its index', (name) => {
  expect(() => checkTagNames(['fine', name])).toThrow(refusal('tags.1'));
});

test('rejects more than 20 different tags, naming the field', () => {
  const names = Array.from({ length: 21 }, (_, i) => `t${i}`);
  expect(() => checkTagNames(names)).toThrow(refusal('tags'));
  expect(checkTagNames([...names.slice(1), 'T1'])).toHaveLength(20);
});

test('collapses whitespace and keeps the first of equal names', () => {
  expect(checkTagNames([' a  b ', 'A b', 'a\u00a0\u3000b', 'é', 'e\u0301'])).toEqual(['a b', 'é']);
  expect(tagKey(' A  B')).toBe('a b');
});

test('counts the characters of the collapsed name', () => {
  expect(checkTagNames([`a${' '.repeat(60)}b`])).toEqual(['a b']);
});

test('sorts names regardless of case, and keeps the order of equal ones', () => {
  expect(['b', 'C', ' B', 'ä', 'a', 'A'].sort(byName)).toEqual(['a', 'A', 'b', ' B', 'C', 'ä']);
  expect([byName('a', 'B'), byName('B', 'a'), byName('a', 'A')]).toEqual([-1, 1, 0]);
});
