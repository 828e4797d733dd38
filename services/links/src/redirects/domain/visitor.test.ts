import { expect, test } from '@jest/globals';
import { msToMidnight, referrerHost, utcDay, dailyVisitorId } from './visitor.js';

test('days are in UTC', () => {
  const night = Date.parse('2030-06-30T23:59:59.000Z');
  expect(utcDay(night)).toBe('2030-06-30');
  expect(msToMidnight(night)).toBe(1_000);
  expect(utcDay(night + 1_000)).toBe('2030-07-01');
});

test('a visitor has one id per salt, address and user agent', () => {
  const id = dailyVisitorId('00', '192.0.2.1', 'a');
  expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(dailyVisitorId('00', '192.0.2.1', 'a')).toBe(id);
  const others = [
    dailyVisitorId('01', '192.0.2.1', 'a'),
    dailyVisitorId('00', '192.0.2.2', 'a'),
    dailyVisitorId('00', '192.0.2.1', 'b'),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});

test.each([
  ['https://News.Example.com/a?b#c', 'news.example.com'],
  ['http://example.com:8080/', 'example.com'],
  ['https://user:secret@example.com/', 'example.com'],
  ['https://example.com', 'example.com'],
  ['https://[2001:db8::1]:80/', '[2001:db8::1]'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
  ['', ''],
  ['about:blank', ''],
  ['https://', ''],
  ['https://exa mple.com/', ''],
  [`https://${'a'.repeat(254)}/`, ''],
  ['javascript:alert(1)', ''],
  ['about:https://example.com/', ''],
])('the host of the referrer %s is "%s"', (referrer, host) => expect(referrerHost(referrer)).toBe(host));
