import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Hosts } from './hosts.js';

const hosts = new Hosts('https://Go.Example.com', ['s.example.com', 'alt.example.com:8443']);

test.each([
  'go.example.com',
  'GO.example.COM:443',
  'go.example.com.',
  's.example.com',
  'alt.example.com',
  'localhost:8080',
  'x.localhost',
  '127.0.0.1:1',
  '127.9.9.9',
  '[::1]:8080',
])('%s is the default domain', (host) => expect(hosts.routingHost(host)).toBe(''));

test('names under .localhost are custom domains if local domains are allowed', () => {
  const local = new Hosts('http://localhost:8080', [], true);
  expect(local.routingHost('Toko.localhost:8080')).toBe('toko.localhost');
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) expect(local.routingHost(host)).toBe('');
});

/** A name of 253 characters, the maximum. */
const longest = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;

test.each([
  ['Links.Customer.example:8080', 'links.customer.example'],
  ['links.customer.example:', 'links.customer.example'],
  [`${longest}.`, longest],
  ['evilgo.example.com', 'evilgo.example.com'],
  ['192.0.2.1', '192.0.2.1'],
  ['[2001:DB8::1]', '[2001:db8::1]'],
  ['[0000:0000:0000:0000:0000:FFFF:255.255.255.255]', '[0000:0000:0000:0000:0000:ffff:255.255.255.255]'],
])('%s is the domain %s', (host, routingHost) => expect(hosts.routingHost(host)).toBe(routingHost));

test.each([
  '',
  ' ',
  'a b',
  'a/b',
  'a@b',
  'a:b:c',
  'a:123456',
  '[::1',
  '[zz]',
  '[192.0.2.1]',
  'a..b',
  '.a',
  'a\0',
  'é.example',
  `${'a'.repeat(64)}.example`,
  `${longest}a`,
  'a.'.repeat(200),
])('"%s" is not a host', (host) => expect(new Hosts('https://go.example.com', []).routingHost(host)).toBeUndefined());

test('a routing host never contains a slash, so that a route key of one host never equals one of another', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.ipV6(), fc.webAuthority()), (header) => {
      expect(hosts.routingHost(header) ?? '').toMatch(/^[a-z0-9_.:[\]-]*$/);
    }),
    { numRuns: 2_000 },
  );
});
