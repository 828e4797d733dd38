import { expect, test } from '@jest/globals';
import { clientAddress } from './client-address.js';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as never;

test('without trusted proxies the connection decides, whatever the header says', () => {
  expect(clientAddress([])(request('203.0.113.9', '1.2.3.4'))).toBe('203.0.113.9');
  expect(clientAddress([])(request('::ffff:203.0.113.9'))).toBe('203.0.113.9');
});

test('a trusted proxy is believed', () => {
  expect(clientAddress(['10.0.0.0/8'])(request('10.1.1.1', '203.0.113.9'))).toBe('203.0.113.9');
  expect(clientAddress(['10.0.0.0/8'])(request('::ffff:10.1.1.1', '2001:db8::1'))).toBe('2001:db8::1');
});

test('what a client wrote left of its own address is not believed', () => {
  const address = clientAddress(['10.0.0.0/8', '192.0.2.1']);
  expect(address(request('10.1.1.1', '1.1.1.1, 203.0.113.9, 192.0.2.1'))).toBe('203.0.113.9');
  expect(address(request('198.51.100.7', '1.1.1.1'))).toBe('198.51.100.7');
});

test('garbage in the header stops the walk', () => {
  const address = clientAddress(['10.0.0.0/8']);
  expect(address(request('10.1.1.1', '1.1.1.1, nonsense'))).toBe('10.1.1.1');
  expect(address(request('10.1.1.1', ''))).toBe('10.1.1.1');
  expect(address(request('10.1.1.1'))).toBe('10.1.1.1');
});
