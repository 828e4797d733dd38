import { expect, test } from '@jest/globals';
import { joinTags, suggestedTags, tagsIn, withSuggestedTag } from './tags-in-text.js';

const known = ['Spring', 'summer', 'Sale', 'a', 'b', 'c', 'd', 'e'];

test('commas separate tags, and an unpaired quotation mark is part of a tag', () => {
  expect(tagsIn(' a , b,, ')).toEqual(['a', 'b']);
  expect(tagsIn('a b, 5" nails, "open, c')).toEqual(['a b', '5" nails', '"open', 'c']);
});

test.each([[['a', 'b']], [['coffee, tea', 'b']], [['the "best", of all', '"quoted"']], [[]]])(
  'joining and parsing the tags %j returns them unchanged',
  (tags) => {
    expect(tagsIn(joinTags(tags))).toEqual(tags);
  },
);

test.each([
  ['', ['Spring', 'summer', 'Sale', 'a', 'b', 'c']],
  ['s', ['Spring', 'summer', 'Sale']],
  ['a, S', ['Spring', 'summer', 'Sale']],
  ['Sale, s', ['Spring', 'summer']],
  ['x', []],
  ['summer', ['Spring', 'Sale', 'a', 'b', 'c', 'd']],
  ['summer, ', ['Spring', 'Sale', 'a', 'b', 'c', 'd']],
])('the suggestions for the text %j are %j', (text, names) => {
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
