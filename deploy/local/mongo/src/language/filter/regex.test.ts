import { describe, expect, test } from '@jest/globals';
import { BSONRegExp } from 'bson';
import { expectError } from '../bson.test.fixtures.js';
import { compileRegex, literalPrefix } from './regex.js';

const test1 = (pattern: string, options: string, text: string): boolean =>
  compileRegex(new BSONRegExp(pattern, options)).test(text);

describe('a regular expression matches as PCRE does', () => {
  test.each<[string, string, string, boolean]>([
    ['^abc$', '', 'abc', true],
    ['^abc$', '', 'abc\n', true],
    ['^abc$', '', 'abc\nx', false],
    ['^b$', 'm', 'a\nb\nc', true],
    ['^b$', '', 'a\nb\nc', false],
    ['^b', 'm', 'a\rb', false],
    ['a.c', '', 'a\nc', false],
    ['a.c', '', 'a\rc', true],
    ['a.c', 's', 'a\nc', true],
    ['a.c', '', 'a😀c', true],
    ['ABC', 'i', 'xabcx', true],
    ['a b # comment\n c', 'x', 'abc', true],
    ['[a b]', 'x', ' ', true],
    ['(?i)abc', '', 'ABC', true],
    ['(?<year>\\d{4})', '', 'in 2024', true],
    ['(?P<y>\\d)', '', '7', true],
    ['(?:a|b)c(?=d)(?!e)', '', 'bcd', true],
    ['\\Aab\\z', '', 'ab', true],
    ['\\Aab\\z', '', 'ab\n', false],
    ['\\Aab\\Z', '', 'ab\n', true],
    ['\\Qa.b*\\E+', '', 'a.b**', true],
    ['\\Qa.b', '', 'axb', false],
    ['[[:alpha:]]+[[:digit:]]', '', 'ab1', true],
    ['[[:space:]x]', '', ' ', true],
    ['[]a]', '', ']', true],
    ['[^]a]', '', ']', false],
    ['a\\-b\\_c\\/d', '', 'a-b_c/d', true],
    ['\\x41\\x{1F600}', '', 'A😀', true],
    ['a{', '', 'a{', true],
    ['a{2}', '', 'aa', true],
    ['\\s', '', '\u00a0', false],
    ['\\S', '', '\u00a0', true],
    ['\\h', '', '\t', true],
    ['\\bfoo\\b', '', 'a foo b', true],
    ['(?#note)x', '', 'x', true],
    ['a/b', '', 'a/b', true],
    ['^é', 'i', 'É', true],
  ])('/%s/%s on %j: %s', (pattern, options, text, expected) => {
    expect(test1(pattern, options, text)).toBe(expected);
  });

  test.each(['a++', '(?>a)', '(?i:a)b', '\\p{L}', '\\K', '(?R)', '[[:^alpha:]]', '[\\H]'])(
    '/%s/ is refused',
    (pattern) => {
      expectError(() => compileRegex(new BSONRegExp(pattern)), 115);
    },
  );

  test.each(['(', '[a', 'a\\', '*a', 'a{2,1}'])('/%s/ is invalid', (pattern) => {
    expectError(() => compileRegex(new BSONRegExp(pattern)), 51091);
  });
});

describe('the literal prefix', () => {
  test.each<[string, string, string]>([
    ['^abc', '', 'abc'],
    ['^abc$', '', 'abc'],
    ['^abc.*', '', 'abc'],
    ['^abc*', '', 'ab'],
    ['^abc?d', '', 'ab'],
    ['^ab{2}', '', 'a'],
    ['^ab+', '', 'ab'],
    ['^a\\.b', '', 'a.b'],
    ['^a\\d', '', 'a'],
    ['^a|b', '', ''],
    ['abc', '', ''],
    ['^abc', 'i', ''],
    ['^abc', 'm', ''],
    ['^a(b)', '', 'a'],
    ['^\\Qa', '', ''],
    ['^é', '', 'é'],
  ])('of /%s/%s is %j', (pattern, options, expected) => {
    expect(literalPrefix(new BSONRegExp(pattern, options))).toBe(expected);
  });
});
