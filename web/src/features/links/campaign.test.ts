import { expect, test } from '@jest/globals';
import { readUtm, writeUtm } from './campaign.js';

test('reads a campaign parameter of the destination', () => {
  expect(readUtm('https://example.com/?utm_source=a%20b&utm_medium=c', 'source')).toBe('a b');
  expect(readUtm('not an address', 'source')).toBe('');
});

test.each([
  ['https://example.com', 'mail', 'https://example.com?utm_source=mail'],
  ['https://example.com/a?b=%7E+c#d', 'e f', 'https://example.com/a?b=%7E+c&utm_source=e%20f#d'],
  ['https://example.com/?utm_source=a&b=1&utm_source=c', 'new', 'https://example.com/?utm_source=new&b=1'],
  ['https://example.com/?utm_source=a#b', '', 'https://example.com/#b'],
  ['not an address', 'mail', 'not an address'],
])('writeUtm with the URL %s and the source "%s" returns %s', (url, value, written) => {
  expect(writeUtm(url, 'source', value)).toBe(written);
});
