import { expect, test } from '@jest/globals';
import { headReader } from './request-head.js';

const read = headReader(['cf-ipcountry', 'x-country']);

test('finds the relevant headers', () => {
  const raw = [
    'host',
    'a.example',
    'user-agent',
    'UA',
    'referer',
    'https://r.example/',
    'x-forwarded-for',
    '1.1.1.1',
    'cf-ipcountry',
    'ID',
    'accept-encoding',
    'gzip',
  ];
  expect(read(raw)).toEqual({
    host: 'a.example',
    userAgent: 'UA',
    referrer: 'https://r.example/',
    forwardedFor: '1.1.1.1',
    country: 'ID',
    traceparent: '',
    prefetch: false,
  });
});

test('the host is undefined if there are several Host headers', () => {
  expect(read(['host', 'a', 'host', 'a']).host).toBeUndefined();
  expect(read(['host', '', 'host', 'a', 'host', 'a']).host).toBeUndefined();
});

test('of several User-Agent, Referer, traceparent or country headers, the first non-empty one is used', () => {
  const single = { 'user-agent': 'userAgent', referer: 'referrer', traceparent: 'traceparent', 'x-country': 'country' };
  for (const [name, field] of Object.entries(single))
    expect(read([name, '', name, 'a', name, 'b'])).toEqual({ ...read([]), [field]: 'a' });
  expect(read(['x-country', '', 'x-country', 'ID', 'cf-ipcountry', 'MY']).country).toBe('ID');
});

test('a name without a value is ignored', () =>
  expect(read(['user-agent', 'a', 'host'])).toEqual(read(['user-agent', 'a'])));

test('several X-Forwarded-For headers are joined', () => {
  expect(read(['x-forwarded-for', '1.1.1.1', 'x-forwarded-for', '2.2.2.2, 3.3.3.3']).forwardedFor).toBe(
    '1.1.1.1,2.2.2.2, 3.3.3.3',
  );
});

test.each(['purpose', 'sec-purpose', 'x-purpose', 'x-moz'])('%s: prefetch is detected', (name) => {
  expect(read([name, 'prefetch']).prefetch).toBe(true);
  expect(read([name, 'prefetch', 'purpose', 'x']).prefetch).toBe(true);
  expect(read([name, 'x']).prefetch).toBe(false);
});

test('other headers are ignored', () => {
  expect(read(['date', 'x', 'connection', 'close', 'upgrade', 'prefetch', 'accept-language', 'prefetch'])).toEqual(
    read([]),
  );
});
