import { expect, test } from '@jest/globals';
import { headReader } from './request-head.js';

const read = headReader(['cf-ipcountry', 'x-country']);

test('finds the relevant headers in any case', () => {
  const raw = [
    'HOST',
    'a.example',
    'user-agent',
    'UA',
    'Referer',
    'https://r.example/',
    'X-Forwarded-For',
    '1.1.1.1',
    'CF-IPCountry',
    'ID',
    'Accept-Encoding',
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

test('several Host headers are rejected', () => expect(read(['Host', 'a', 'host', 'a']).host).toBeUndefined());

test('several X-Forwarded-For headers are joined', () => {
  expect(read(['X-Forwarded-For', '1.1.1.1', 'x-forwarded-for', '2.2.2.2, 3.3.3.3']).forwardedFor).toBe(
    '1.1.1.1,2.2.2.2, 3.3.3.3',
  );
});

test.each(['Purpose', 'Sec-Purpose', 'X-Purpose', 'X-Moz'])('%s: prefetch is detected', (name) => {
  expect(read([name, 'prefetch']).prefetch).toBe(true);
});

test('other headers of the same length are ignored', () => {
  expect(read(['Date', 'x', 'Connection', 'close', 'Upgrade', 'prefetch', 'Accept-Language', 'prefetch'])).toEqual(
    read([]),
  );
});
