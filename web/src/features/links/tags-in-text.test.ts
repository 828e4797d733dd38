import { expect, test } from '@jest/globals';
import { suggestedTags, tagsIn, withSuggestedTag } from './tags-in-text.js';

const known = ['Spring', 'summer', 'Sale', 'a', 'b', 'c', 'd', 'e'];

test('tags are separated by commas', () => {
  expect(tagsIn(' a , b,, ')).toEqual(['a', 'b']);
});

test.each([
  ['', ['Spring', 'summer', 'Sale', 'a', 'b', 'c']],
  ['s', ['Spring', 'summer', 'Sale']],
  ['a, S', ['Spring', 'summer', 'Sale']],
  ['Sale, s', ['Spring', 'summer']],
  ['x', []],
  ['summer', ['Spring', 'Sale', 'a', 'b', 'c', 'd']],
  ['summer, ', ['Spring', 'Sale', 'a', 'b', 'c', 'd']],
])('for %j, the tags %j are suggested', (text, names) => {
  expect(suggestedTags(text, known)).toEqual(names);
});

test.each([
  ['', 'Sale, '],
  ['su', 'Sale, '],
  ['a, su', 'a, Sale, '],
  ['a', 'a, Sale, '],
  ['a, ', 'a, Sale, '],
])('adding a suggestion to %j results in %j', (text, expected) => {
  expect(withSuggestedTag(text, 'Sale', known)).toBe(expected);
});
