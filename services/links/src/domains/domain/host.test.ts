import { expect, test } from '@jest/globals';
import { isLoopback, isPossibleName, isPrivateHost } from './host.js';

test.each([
  'localhost',
  'a.localhost',
  'printer.local',
  'a.internal',
  'home.arpa',
  'nas.home.arpa',
  'nas.home.arpa.',
  'intranet',
  '10.0.0.1',
  '127.0.0.1',
  '100.64.0.1',
  '169.254.1.1',
  '224.0.0.1',
  '[::1]',
  '[fe80::1]',
  '[::ffff:8.8.8.8]',
  '[4000::1]',
  '[1fff::1]',
])('%s is private', (host) => expect(isPrivateHost(host)).toBe(true));

test.each([
  'a.example',
  'a.example.',
  'local.example',
  'xlocal.example',
  'home-arpa.example',
  'a.xlocal',
  '8.8.8.8',
  '[2606:4700::1]',
  '[3fff:8000::1]',
])('%s is public', (host) => expect(isPrivateHost(host)).toBe(false));

const label = 'x'.repeat(63);

test.each([
  'a',
  'a.b.',
  label,
  `${label}.${label}.${label}.${'x'.repeat(61)}`,
  `${label}.${label}.${label}.${'x'.repeat(61)}.`,
])('%s is a possible name', (name) => expect(isPossibleName(name)).toBe(true));

test.each(['', 'a..b', '.a', `${label}x`, `a.${label}x`, `${label}.${label}.${label}.${'x'.repeat(62)}`])(
  '%j is not a possible name',
  (name) => expect(isPossibleName(name)).toBe(false),
);

test('localhost, its subdomains, 127.0.0.0/8 and ::1 are loopback hosts', () => {
  for (const host of ['localhost', 'a.localhost', '[::1]', '127.0.0.1', '127.9.9.9'])
    expect(isLoopback(host)).toBe(true);
  for (const host of ['xlocalhost', 'localhost.example', '127.example', '128.0.0.1', '[::2]', '10.127.0.1']) {
    expect(isLoopback(host)).toBe(false);
  }
});
