import { expect, test } from '@jest/globals';
import { addressKeys, ClientAddresses, isAddressRange } from './client-addresses.js';

test('without trusted proxies the connection determines the address, regardless of the header', () => {
  const clients = new ClientAddresses([]);
  expect(clients.of('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
  expect(clients.of('::ffff:203.0.113.9', '')).toBe('203.0.113.9');
});

test('the address forwarded by a trusted proxy is used, with or without a port', () => {
  const clients = new ClientAddresses(['10.0.0.0/8']);
  expect(clients.of('10.1.1.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(clients.of('10.1.1.1', '203.0.113.9:4711')).toBe('203.0.113.9');
  expect(clients.of('::ffff:10.1.1.1', '[2001:db8::1]:80')).toBe('2001:db8::1');
});

test('addresses that the client itself sent are not trusted', () => {
  const clients = new ClientAddresses(['10.0.0.0/8', '192.0.2.1']);
  expect(clients.of('10.1.1.1', '1.1.1.1, 203.0.113.9, 192.0.2.1')).toBe('203.0.113.9');
  expect(clients.of('198.51.100.7', '1.1.1.1')).toBe('198.51.100.7');
});

test.each(['1.1.1.1, nonsense', '', '0177.1', ',,,', `${'x'.repeat(5_000)}`])(
  'the address of the proxy is used if the last entry of X-Forwarded-For is invalid or empty: %j',
  (header) => {
    expect(new ClientAddresses(['10.0.0.0/8']).of('10.1.1.1', header)).toBe('10.1.1.1');
  },
);

test('isAddressRange accepts only addresses and CIDR ranges', () => {
  const ranges = ['10.0.0.0/8', '198.51.100.0/24', '::1', '192.0.2.1'];
  expect(ranges.filter(isAddressRange)).toEqual(ranges);
  expect(['10.0.0.0/33', '010.0.0.0/8', '10.1/16', 'localhost', ''].map(isAddressRange)).not.toContain(true);
});

test('an IPv6 client is counted by its /64 and its /56, an IPv4 client by its address', () => {
  const [client, site] = addressKeys('2001:db8:1:2:ff03:4:5:6');
  expect(addressKeys('2001:db8:1:2::1')).toEqual([client, site]);
  expect(addressKeys('2001:db8:1:3::1')).toEqual([expect.not.stringMatching(`^${client}$`), site]);
  expect(addressKeys('2001:db8:1:102::1')[1]).not.toBe(site);
  expect(addressKeys('203.0.113.1')).toEqual(['203.0.113.1']);
  expect(addressKeys('a:b')).toEqual(['a:b']);
});

test.each([
  ['203.0.113.9', '', '203.0.113.9'],
  ['203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['10.1.1.1', '203.0.113.9', '203.0.113.9'],
  ['10.1.1.1', '1.1.1.1, 203.0.113.9, 10.1.1.2', '203.0.113.9'],
  ['10.1.1.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['10.1.1.1', '', ''],
  ['10.1.1.1', 'unknown', ''],
  ['10.1.1.1', '203.0.113.9, unknown', ''],
  ['10.1.1.1', '10.1.1.2', ''],
  ['10.1.1.1', 'unknown, 10.1.1.2', ''],
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '', ''],
  ['', '', ''],
])('with the peer %j and X-Forwarded-For %j, ownOf returns %j', (peer, header, address) => {
  expect(new ClientAddresses(['10.0.0.0/8', '127.0.0.1']).ownOf(peer, header)).toBe(address);
});

test('only addresses in a configured range, IPv4 or IPv6, are trusted', () => {
  const clients = new ClientAddresses(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1']);
  const trusted = ['10.255.0.1', '192.0.2.1', '::ffff:192.0.2.1', '2001:db8:1::1', '::1'];
  for (const peer of trusted) expect([peer, clients.isTrusted(peer)]).toEqual([peer, true]);
  for (const peer of ['11.0.0.1', '192.0.2.2', '2001:db9::1', '::2', '', 'proxy']) {
    expect([peer, clients.isTrusted(peer)]).toEqual([peer, false]);
  }
  expect(new ClientAddresses([]).isTrusted('10.0.0.1')).toBe(false);
});

test('proxies that are neither addresses nor ranges are rejected', () => {
  expect(() => new ClientAddresses(['10.0.0.0/8', 'proxy'])).toThrow('TRUSTED_PROXIES: proxy is neither');
});

test.each([
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['203.0.113.9:x', '10.1.1.1'],
  ['203.0.113.9:80x', '10.1.1.1'],
  ['x:203.0.113.9:80', '10.1.1.1'],
  ['x[2001:db8::1]:80', '10.1.1.1'],
  ['[2001:db8::1]x', '10.1.1.1'],
  ['10.2.2.2, 10.3.3.3', '10.2.2.2'],
  ['unknown, 10.3.3.3', '10.3.3.3'],
])('with X-Forwarded-For %j the client of a proxy has the address %j', (header, address) => {
  expect(new ClientAddresses(['10.0.0.0/8']).of('10.1.1.1', header)).toBe(address);
});
