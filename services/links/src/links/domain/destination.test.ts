import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeQuery } from './destination.js';

describe('merging a visitor’s query into a destination', () => {
  const cases: Array<[string, string, string, string]> = [
    ['an empty query changes nothing', 'https://a.example/x?b=1#c', '', 'https://a.example/x?b=1#c'],
    ['ampersands alone change nothing', 'https://a.example/x', '&&', 'https://a.example/x'],
    ['a new key is added', 'https://a.example/x', 'a=1', 'https://a.example/x?a=1'],
    ['the visitor’s value replaces the value of the link', 'https://a.example/?a=1', 'a=2', 'https://a.example/?a=2'],
    ['other parameters are unchanged', 'https://a.example/?b=%20+&c&a=1', 'a=2', 'https://a.example/?b=%20+&c&a=2'],
    ['all values of a key are replaced', 'https://a.example/?a=1&b=2&a=3', 'a=9', 'https://a.example/?a=9&b=2'],
    [
      'all values of a key that the visitor repeats replace the value of the link',
      'https://a.example/?a=1&b=2',
      'a=8&a=9',
      'https://a.example/?a=8&a=9&b=2',
    ],
    ['the fragment stays last', 'https://a.example/?a=1#top?a=5', 'b=2', 'https://a.example/?a=1&b=2#top?a=5'],
    ['an encoded key is the same key', 'https://a.example/?%61=1', 'a=2', 'https://a.example/?a=2'],
    [
      'keys with a space as + and as %20 are the same',
      'https://a.example/?a+b=1',
      'a%20b=2',
      'https://a.example/?a%20b=2',
    ],
    ['a stray percent sign is encoded', 'https://a.example/', 'a=100%&b=%zz', 'https://a.example/?a=100%25&b=%25zz'],
    [
      'unsafe characters are encoded',
      'https://a.example/',
      `a="<>'#\r\n\0`,
      'https://a.example/?a=%22%3C%3E%27%23%0D%0A%00',
    ],
    ['raw bytes are percent-encoded', 'https://a.example/', 'a=\xc3\xa9', 'https://a.example/?a=%C3%A9'],
    ['a lone surrogate becomes U+FFFD', 'https://a.example/', 'a=\ud800', 'https://a.example/?a=%EF%BF%BD'],
    [
      'a lone surrogate of either kind becomes U+FFFD',
      'https://a.example/',
      '\udbff=\udfff',
      'https://a.example/?%EF%BF%BD=%EF%BF%BD',
    ],
    [
      'code points just outside the surrogate range are kept',
      'https://a.example/',
      '\ud7ff=\ue000',
      'https://a.example/?%ED%9F%BF=%EE%80%80',
    ],
    [
      'the highest byte is percent-encoded as one byte',
      'https://a.example/',
      'a=\xff&b=\u0100',
      'https://a.example/?a=%FF&b=%C4%80',
    ],
    ['an incomplete escape is encoded', 'https://a.example/', 'a=%1z&b=%1', 'https://a.example/?a=%251z&b=%251'],
    ['a destination without a query keeps its fragment', 'https://a.example/x#y', 'a=1', 'https://a.example/x?a=1#y'],
    ['an empty query of the destination is filled', 'https://a.example/?', 'a=1', 'https://a.example/?a=1'],
    [
      'a property name of Object.prototype is an ordinary key',
      'https://a.example/?a=1',
      '__proto__=1',
      'https://a.example/?a=1&__proto__=1',
    ],
    ['a leading question mark belongs to the key', 'https://a.example/?a=1', '?a=2', 'https://a.example/?a=1&?a=2'],
  ];
  test.each(cases)('%s', (_, destination, query, merged) => {
    expect(mergeQuery(destination, query)).toBe(merged);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '+', '?', '#', '[', '\r', '\n', '\xff', '%61', '%00') }),
  );
  const destination = fc
    .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), text)
    .map(([url, more]) => `${url.split('#')[0]}${url.includes('?') ? '&' : '?'}${more}`)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).href);

  test('always returns a normalized URL to the same resource with the same fragment', () => {
    fc.assert(
      fc.property(destination, text, (url, query) => {
        const merged = mergeQuery(url, query);
        expect(merged).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        const [from, to] = [new URL(url), new URL(merged)];
        expect([to.origin, to.pathname, to.hash]).toEqual([from.origin, from.pathname, from.hash]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('uses the visitor’s values for the visitor’s keys, and keeps all other parameters', () => {
    const key = fc.constantFrom('a', 'b', 'c d', 'é', '%', '&', '=', '');
    const pairs = fc.array(fc.tuple(key, fc.string({ maxLength: 3 })), { maxLength: 6 });
    const encode = (list: Array<[string, string]>) => new URLSearchParams(list).toString();
    fc.assert(
      fc.property(pairs, pairs, (own, theirs) => {
        const merged = new URL(mergeQuery(new URL(`https://a.example/?${encode(own)}`).href, encode(theirs)))
          .searchParams;
        for (const [name] of [...own, ...theirs]) {
          const wanted = (theirs.some(([other]) => other === name) ? theirs : own).filter(([other]) => other === name);
          expect(merged.getAll(name)).toEqual(wanted.map(([, value]) => value));
        }
        const names = new Set([...own, ...theirs].map(([name]) => name));
        expect(new Set(merged.keys())).toEqual(names);
      }),
      { numRuns: 1_000 },
    );
  });
});
