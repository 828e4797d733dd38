import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkDomainName } from './check-domain-name.js';
import { parseDomainName } from './domain-name.js';
import { isApex } from './public-suffix.js';

const own = new Set(['go.example.com', 'links.example.net']);
const check = (text: string) => checkDomainName(text, own);
function refusalOf(text: string): unknown {
  try {
    return check(text);
  } catch (error) {
    return error;
  }
}
/** Returns a domain name with this number of characters. */
const nameOfLength = (length: number) =>
  `${`${'a'.repeat(60)}.`.repeat(5)}`.slice(0, length - 4).replace(/\.$/, 'a') + '.com';

describe('a domain', () => {
  test.each([
    ['Links.Customer.example', 'links.customer.example'],
    ['links.customer.example.', 'links.customer.example'],
    ['toko.co.id', 'toko.co.id'],
    ['somebody.github.io', 'somebody.github.io'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['sub.go.example.com', 'sub.go.example.com'],
    ['a.b', 'a.b'],
    [nameOfLength(245), nameOfLength(245)],
  ])('%s is normalized to %s', (given, name) => expect(check(given)).toBe(name));

  test.each([
    ['has a scheme', 'https://links.customer.example'],
    ['has a port', 'links.customer.example:8080'],
    ['has a path', 'links.customer.example/x'],
    ['has a query', 'links.customer.example?x'],
    ['has a fragment', 'links.customer.example#x'],
    ['has a user name', 'me@links.customer.example'],
    ['is percent-encoded', 'links%2ecustomer.example'],
    ['is an IPv4 address', '192.0.2.7'],
    ['is a public IPv4 address', '8.8.8.8'],
    ['is an IPv4 address with a hexadecimal part', '0xc0.0.2.7'],
    ['is an IPv4 address as a number', '3221225991'],
    ['is an IPv6 address', '[2001:db8::1]'],
    ['is empty', ''],
    ['is a space', ' '],
    ['has a space', 'links customer.example'],
    ['is a dot', '.'],
    ['has an empty label', 'links..example'],
    ['begins with a dot', '.links.example'],
    ['has a label that begins with a hyphen', '-a.example'],
    ['has a label that ends with a hyphen', 'a-.example'],
    ['has an underscore', 'a_b.example'],
    ['has an underscore in the last label', 'a.b_c'],
    ['has a wildcard', '*.customer.example'],
    ['has a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['has more than 253 characters', nameOfLength(254)],
    ['has more than 254 characters before normalization', `a.example${'\u00ad'.repeat(246)}`],
    ['is too long for its ownership record', nameOfLength(246)],
    ['is invalid punycode', 'xn--a.example'],
    ['has a control character', 'a\u0000.example'],
    ['is a public suffix', 'com'],
    ['is a public suffix of two labels', 'co.id'],
    ['is a public suffix of a private registry', 'github.io'],
    ['is a single label', 'intranet'],
    ['is in a private network', 'printer.local'],
    ['is in a private network', 'db.internal'],
    ['is a loopback name', 'x.localhost'],
    ['is a host name of this service', 'Go.Example.com'],
    ['is a host name of this service', 'go.example.com.'],
    ['is the CNAME target of custom domains', 'links.example.net'],
  ])('is rejected if it %s', (_, text) => {
    expect(refusalOf(text)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
  });

  test('is parsed up to 253 characters, but rejected above 245, because the name of its ownership record would be too long', () => {
    const longest = nameOfLength(253);
    expect(longest).toHaveLength(253);
    expect(parseDomainName(longest)).toBe(longest);
    expect(parseDomainName(`${longest}.`)).toBe(longest);
    expect(parseDomainName(nameOfLength(254))).toBeUndefined();
    expect(refusalOf(longest)).toMatchObject({ message: expect.stringContaining('at most 245 characters') });
  });

  test('may be under .localhost if local names are allowed, but in no other private network', () => {
    expect(checkDomainName('Toko.localhost', own, true)).toBe('toko.localhost');
    for (const name of ['localhost', 'localhost.local', 'printer.local'])
      expect(() => checkDomainName(name, own, true)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  test('is either rejected or contains only letters, digits, hyphens and dots, for any input', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.ipV4(), fc.ipV6(), fc.webAuthority());
    fc.assert(
      fc.property(text, (given) => {
        const name = parseDomainName(given);
        if (name === undefined) return;
        expect(name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
        expect(name.length).toBeLessThanOrEqual(253);
        expect(parseDomainName(name)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['customer.example', true],
  ['links.customer.example', false],
  ['toko.co.id', true],
  ['go.toko.co.id', false],
  ['somebody.github.io', true],
])('%s is an apex: %s', (name, apex) => expect(isApex(name)).toBe(apex));
