import { expect, test } from '@jest/globals';
import { ReturnUrls } from './return-urls.js';

const urls = new ReturnUrls('https://go.example', ['https://app.example']);

test('without a return URL, the pages of the payment provider return to /app/billing/return', () => {
  const page = 'https://go.example/app/billing/return?session={CHECKOUT_SESSION_ID}';
  expect(urls.checkout(undefined)).toEqual({ successUrl: page, cancelUrl: page });
  expect(urls.portal(undefined)).toBe('https://go.example/app/billing/return?from=portal');
});

test.each([
  ['https://go.example/a', 'https://go.example/a?', ''],
  ['https://app.example/a?tab=1#plan', 'https://app.example/a?tab=1&', '#plan'],
])('the outcome of a checkout is added to the query of %s', (url, expected, hash) => {
  expect(urls.checkout(url)).toEqual({
    successUrl: `${expected}checkout=paid&session_id={CHECKOUT_SESSION_ID}${hash}`,
    cancelUrl: `${expected}checkout=canceled${hash}`,
  });
  expect(urls.portal(url)).toBe(url);
});

const urlOfLength = (length: number): string =>
  `https://go.example/${'x'.repeat(length - 'https://go.example/'.length)}`;

test('a URL may have up to 2,048 characters', () => {
  expect(urls.portal(urlOfLength(2_048))).toBe(urlOfLength(2_048));
});

test.each([
  [urlOfLength(2_049), 'must have at most 2048 characters'],
  ['/billing', 'must be an absolute http(s) URL'],
  ['https://go.example\\@evil.example/', 'must be an absolute http(s) URL'],
  ['https://go.example/\u0000', 'must be an absolute http(s) URL'],
  ['xhttps://go.example/', 'must be an absolute http(s) URL'],
  ['https-x://go.example/', 'must be an absolute http(s) URL'],
  ['javascript:alert(1)', 'must be an absolute http(s) URL'],
  ['https://user@go.example/', 'must not contain credentials'],
  ['https://:secret@go.example/', 'must not contain credentials'],
  ['https://evil.example/', 'must have the origin of this service or another allowed origin'],
])('%j is rejected, naming the field and the reason', (url, reason) => {
  const refused = expect.objectContaining({
    code: 'VALIDATION_ERROR',
    field: 'returnUrl',
    message: `returnUrl ${reason}.`,
  });
  expect(() => urls.portal(url)).toThrow(refused);
  expect(() => urls.checkout(url)).toThrow(refused);
});

test('a URL of an allowed origin may use http', () => {
  expect(new ReturnUrls('http://localhost:8080', []).portal('http://localhost:8080/a')).toBe('http://localhost:8080/a');
});
