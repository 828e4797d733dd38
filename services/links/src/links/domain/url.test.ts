import { describe, expect, test } from '@jest/globals';
import { checkUrl, destinationRules } from './url.js';

const strict = destinationRules('https://go.example.com', ['links.example.com:8443', 'Short.Example'], false);
const lax = destinationRules('http://localhost:8080', [], true);
const refused = { code: 'VALIDATION_ERROR', field: 'url' };

describe('a destination', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/a b?c=d#e', 'http://example.com/a%20b?c=d#e'],
    [' https://example.com/a ', 'https://example.com/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://例え.jp/パス', 'https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9'],
    ['https://8.8.8.8/dns', 'https://8.8.8.8/dns'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://links.example.com/other-port', 'https://links.example.com/other-port'],
    ['https://sub.go.example.com/', 'https://sub.go.example.com/'],
  ])('%s is stored as %s', (given, stored) => {
    expect(checkUrl(given, strict)).toBe(stored);
  });

  test.each([
    '',
    'example.com',
    '//example.com',
    '/path',
    'http:example.com',
    'http:example.com/?u=http://example.com/',
    `https://example.com/${'a/../'.repeat(500)}`,
    'https:/example.com',
    'http://',
    'https://a..b/',
    `https://${'a'.repeat(64)}.com/`,
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    'mailto:a@example.com',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com/a\nb',
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    `https://example.com/${'x'.repeat(2_048)}`,
    `https://example.com/${'ü'.repeat(400)}`,
    'https://exa mple.com/',
    'https://example.com:99999/',
  ])('%j is rejected', (url) => {
    expect(() => checkUrl(url, strict)).toThrow(expect.objectContaining(refused));
  });

  test.each([
    'https://go.example.com/',
    'http://GO.example.com.:8080/x',
    'https://links.example.com:8443/',
    'http://short.example/',
  ])('%s is rejected as a host of this service', (url) => {
    expect(() => checkUrl(url, strict)).toThrow(expect.objectContaining(refused));
  });

  test.each([
    'http://localhost/',
    'http://localhost./',
    'http://app.localhost:3000/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://nas.home.arpa/',
    'http://intranet/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[4000::1]/',
  ])('%s is rejected as a private host', (url) => {
    expect(() => checkUrl(url, strict)).toThrow(expect.objectContaining(refused));
  });

  test('may have a host of this service on another port, if that host is configured with a port', () => {
    const rules = destinationRules('https://go.example.com', ['a.example:443', 'b.example:80'], false);
    for (const url of ['https://a.example/', 'http://b.example/']) {
      expect(() => checkUrl(url, rules)).toThrow(expect.objectContaining(refused));
    }
    for (const url of ['http://a.example/', 'https://b.example/', 'http://a.example:81/']) {
      expect(checkUrl(url, rules)).toBe(url);
    }
  });

  test('may have a private host if private hosts are allowed, but not the host and port of this service', () => {
    expect(checkUrl('http://localhost:3000/', lax)).toBe('http://localhost:3000/');
    expect(checkUrl('http://10.0.0.1/', lax)).toBe('http://10.0.0.1/');
    expect(() => checkUrl('http://localhost:8080/x', lax)).toThrow(expect.objectContaining(refused));
  });

  test('has at most 2,048 characters', () => {
    const longest = `https://example.com/${'x'.repeat(2_028)}`;
    expect(checkUrl(longest, strict)).toBe(longest);
    expect(() => checkUrl(`${longest}x`, strict)).toThrow(expect.objectContaining(refused));
  });
});
