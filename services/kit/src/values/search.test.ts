import { describe, expect, test } from '@jest/globals';
import { checkLimit, comparable, oneOf, parseFilterValues, parseTerms, readableUrls, searchTerm } from './search.js';

const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });

describe('the terms of a search', () => {
  test('are distinct, normalized and sorted', () => {
    expect(parseTerms('  Spring a\u00a0SPRING ')).toEqual(['a', 'spring']);
    expect(parseTerms(' ')).toEqual([]);
  });

  test('have up to 2,048 printable characters in total', () => {
    expect(parseTerms('x'.repeat(2_048))).toHaveLength(1);
    for (const q of ['x'.repeat(2_049), 'a\n']) expect(() => parseTerms(q)).toThrow(refused('q'));
  });

  test('are limited to 100', () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
    expect(parseTerms(words(100))).toHaveLength(100);
    expect(() => parseTerms(words(101))).toThrow(refused('q'));
  });
});

test('texts are compared in lower case and in composed form (NFC), with one form of sigma', () => {
  expect([comparable('CAFE\u0301'), comparable('ΟΔΟΣ ΟΔΟΣ')]).toEqual(['café', 'οδοσ οδοσ']);
  expect(comparable('H\u0331')).toBe('\u1e96');
});

test('the dot of the Turkish İ does not matter, unless another mark follows', () => {
  expect(['İNDİRİM', 'I\u0307ndirim', 'indirim'].map(comparable)).toEqual(['indirim', 'indirim', 'indirim']);
  expect(comparable('İ\u0301')).toBe('i\u0307\u0301');
});

describe('a search term', () => {
  const shortUrlOf = (text: string) => searchTerm(text, 'https://go.example:8080').shortUrl;

  test.each([
    ['go.example:8080/spring', { domain: null, slug: 'spring' }],
    ['http://go.example:8080/spring/', { domain: null, slug: 'spring' }],
    ['https://go.example:8080/spring?a=b#c', { domain: null, slug: 'spring' }],
    ['go.example/spring', { domain: 'go.example', slug: 'spring' }],
    ['other.example:81/a_b-1', { domain: 'other.example', slug: 'a_b-1' }],
    [`a.example/${'x'.repeat(64)}`, { domain: 'a.example', slug: 'x'.repeat(64) }],
  ])('such as %s may denote a short URL', (text, shortUrl) => expect(shortUrlOf(text)).toEqual(shortUrl));

  test.each([
    'spring',
    'go.example/',
    'go.example/a/b',
    'go.example/a//',
    'go.example/ä',
    'go.example/A',
    `a.example/${'x'.repeat(65)}`,
    'a example/b',
    'a.example/https://b',
    'a.example/https://b.example/c',
    '',
  ])('such as %j does not denote a short URL', (text) => expect(shortUrlOf(text)).toBeUndefined());
});

describe('the stored form', () => {
  const storedFormOf = (text: string) => searchTerm(text, 'https://go.example').url;

  test.each([
    ['https://example.com?utm=1', 'https://example.com/?utm=1'],
    ['http://example.com?utm=1', 'http://example.com/?utm=1'],
    ['https://example.com#part', 'https://example.com/#part'],
    ['https://example.com:443/x/../y', 'https://example.com/y'],
    ['https://bücher.example?x=1', 'https://xn--bcher-kva.example/?x=1'],
    ['https://example.com/ä?x=a+b&y=%20', 'https://example.com/ä?x=a+b&y= '],
  ])('of the URL %s in a search is %s', (text, url) => expect(storedFormOf(text)).toBe(url));

  test.each(['https://example.com/a', 'example.com?a', 'ftp://example.com?https://', 'https://', 'spring', ''])(
    'is undefined for %j, which is already in this form or not an http(s) URL',
    (text) => expect(storedFormOf(text)).toBeUndefined(),
  );
});

test.each([
  ['https://example.com/a', ['https://example.com/a']],
  ['HTTPS://Example.com/A', ['https://example.com/a']],
  ['http://example.com/a', ['http://example.com/a']],
  ['https://example.com/%C3%A9%41', ['https://example.com/%c3%a9%41', 'https://example.com/éa']],
  ['https://xn--mnchen-3ya.example:8080/', ['https://xn--mnchen-3ya.example:8080/', 'https://münchen.example:8080/']],
  ['https://xn--a.example', ['https://xn--a.example']],
  [
    'https://xn--mnchen-3ya.example?q=%20',
    [
      'https://xn--mnchen-3ya.example?q=%20',
      'https://xn--mnchen-3ya.example?q= ',
      'https://münchen.example?q=%20',
      'https://münchen.example?q= ',
    ],
  ],
  ['https://example.com/100%#\u2028%', ['https://example.com/100%#\u2028%']],
  ['', ['']],
])('%j can be written as %j', (href, forms) => expect(readableUrls(href)).toEqual(forms));

test('the values of a filter are distinct, trimmed, sorted, and limited in number', () => {
  expect(parseFilterValues('tag', [' b', 'a', 'b '], 2)).toEqual(['a', 'b']);
  expect(() => parseFilterValues('tag', ['a', 'b', 'c'], 2)).toThrow(refused('tag'));
  expect(() => parseFilterValues('tag', ['a', '\u0000'], 2)).toThrow(refused('tag'));
});

test('a value is one of the allowed words, or undefined', () => {
  const allowed = ['asc', 'desc'] as const;
  expect([oneOf('order', allowed, 'desc'), oneOf('order', allowed, undefined)]).toEqual(['desc', undefined]);
  for (const text of ['', 'up']) expect(() => oneOf('order', allowed, text)).toThrow(refused('order'));
});

test('the limit of a page is an integer from 1 to the maximum', () => {
  expect([checkLimit(1), checkLimit(200), checkLimit(5, 5)]).toEqual([1, 200, 5]);
  for (const limit of [0, -1, 1.5, NaN, 201]) expect(() => checkLimit(limit)).toThrow(refused('limit'));
  expect(() => checkLimit(6, 5)).toThrow('limit must be from 1 to 5.');
});
