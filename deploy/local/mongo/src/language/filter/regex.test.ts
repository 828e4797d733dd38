import { describe, expect, test } from '@jest/globals';
import { BSONRegExp } from 'bson';
import { expectError } from '../bson.test.fixtures.js';
import { compileRegex, literalPrefix } from './regex.js';

const matches = (pattern: string, options: string, text: string): boolean =>
  compileRegex(new BSONRegExp(pattern, options)).test(text);

describe('a regular expression', () => {
  test.each<[string, string, string, boolean]>([
    ['^abc$', '', 'abc', true],
    ['^abc$', '', 'abc\n', true],
    ['^abc$', '', 'abc\nx', false],
    ['^b$', '', 'a\nb\nc', false],
    ['a.c', '', 'a\nc', false],
    ['a.c', '', 'a\rc', true],
    ['a.c', '', 'a😀c', true],
    ['ABC', 'i', 'xabcx', true],
    ['(?:a|b)c', '', 'bc', true],
    ['^https?://[^/?#]*xn--', '', 'https://xn--e1a.example/', true],
    ['/2026-01-01(/|$)', '', 'lnk_1/2026-01-01', true],
    ['^a.*?b+?$', '', 'axxbb', true],
    ['a\\-b\\_c\\/d', '', 'a-b_c/d', true],
    ['a\\.b\\\\', '', 'a.b\\', true],
    ['a\\.b', '', 'axb', false],
    ['a/b', '', 'a/b', true],
    ['^é', 'i', 'É', true],
  ])('/%s/%s matches %j, as in PCRE: %s', (pattern, options, text, expected) => {
    expect(matches(pattern, options, text)).toBe(expected);
  });

  const unsupported = [
    'a++',
    '(?>a)',
    '(?i)a',
    '(?=a)',
    '\\d',
    '\\p{L}',
    'a{2}',
    'a]',
    '[]a]',
    '[[:alpha:]]',
    '[\\d]',
    '[a',
    'a\\',
    'a}',
  ];
  test.each(unsupported)('/%s/ is rejected as not supported', (pattern) => {
    expectError(() => compileRegex(new BSONRegExp(pattern)), 115, 'not supported by this engine');
  });

  test.each(['(', ')', '*a'])('/%s/ is invalid', (pattern) => {
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
    ['^a😀b', '', 'a😀b'],
    ['^a😀?b', '', 'a'],
    ['^a😀*b', '', 'a'],
    ['^a\\😀?b', '', 'a'],
    ['^a\\😀b', '', 'a😀b'],
  ])('of /%s/%s is %j', (pattern, options, expected) => {
    expect(literalPrefix(new BSONRegExp(pattern, options))).toBe(expected);
  });
});
