import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTarget } from './target.js';

test.each([
  ['/abc', '/abc', ''],
  ['/AbC-_9', '/abc-_9', ''],
  ['/abc/', '/abc', ''],
  ['/abc?a=1&b=2?c', '/abc', 'a=1&b=2?c'],
  ['/abc/?a=%00', '/abc', 'a=%00'],
  ['/abc?', '/abc', ''],
  ['/%61bc', '/abc', ''],
  ['/a%2Db/?x', '/a-b', 'x'],
  [`/${'a'.repeat(64)}`, `/${'a'.repeat(64)}`, ''],
  [`/${'%61'.repeat(64)}`, `/${'a'.repeat(64)}`, ''],
  [`/abc?${'x'.repeat(8_187)}`, '/abc', 'x'.repeat(8_187)],
])('%s is a slug', (target, path, query) => expect(readTarget(target)).toEqual({ kind: 'slug', path, query }));

test.each([
  ['/', 'root'],
  ['/?a=1', 'root'],
  ['/robots.txt', 'robots'],
  ['/robots.txt?x', 'robots'],
  ['/favicon.ico', 'favicon'],
  [`/${'a'.repeat(65)}`, 'none'],
  [`/${'%61'.repeat(65)}`, 'none'],
  [`/${'a'.repeat(8_000)}`, 'none'],
  ['/a/b', 'none'],
  ['/a//', 'none'],
  ['//evil.example', 'none'],
  ['/../etc/passwd', 'none'],
  ['/..', 'none'],
  ['/%2e%2e%2f', 'none'],
  ['/%', 'none'],
  ['/%zz', 'none'],
  ['/%00', 'none'],
  ['/abc%00', 'none'],
  ['/abc%0d%0aSet-Cookie:x', 'none'],
  ['/%ff', 'none'],
  ['/abc;x', 'none'],
  ['/a.b', 'none'],
  ['/\xe9', 'none'],
  ['http://other.example/abc', 'bad'],
  ['other.example:443', 'bad'],
  ['*', 'bad'],
  ['', 'bad'],
  [`/abc?${'x'.repeat(8_188)}`, 'bad'],
  [`/abc?${'x'.repeat(8_192)}`, 'bad'],
])('%s is not a slug', (target, kind) => expect(readTarget(target)).toMatchObject({ kind, path: '' }));

test('every target has a result, and a path contains only characters of a slug', () => {
  const pieces = fc.constantFrom(
    '/',
    'a',
    'Z',
    '9',
    '-',
    '_',
    '%',
    '%41',
    '%2f',
    '?',
    '#',
    '.',
    '..',
    '\\',
    '\0',
    '\r\n',
    '\xff',
    ' ',
    '://',
  );
  const target = fc.oneof(fc.string({ unit: pieces }), fc.string({ unit: 'binary' }), fc.webPath());
  fc.assert(
    fc.property(target, (text) => {
      const { kind, path } = readTarget(text);
      if (kind === 'slug') expect(path).toMatch(/^\/[a-z0-9_-]{1,64}$/);
      else expect(path).toBe('');
    }),
    { numRuns: 5_000 },
  );
});
