import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { allowedMs, startDnsServer, type DnsServer } from '@tautan/kit/testing';
import { createDnsLookup } from './dns-lookup.js';

let dns: DnsServer;
beforeAll(async () => void (dns = await startDnsServer()));
afterAll(() => dns.stop());
beforeEach(() => dns.set('target.example', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] }));

const lookUp = (signal?: AbortSignal) =>
  createDnsLookup([dns.address], { host: 'target.example', addresses: [] })('go.example.com', signal);

test('finds the addresses of a domain and of its target', async () => {
  dns.set('go.example.com', { A: ['192.0.2.1'], AAAA: ['2001:DB8:0::1'] });
  expect(await lookUp()).toEqual({
    ownership: [],
    cname: [],
    a: ['192.0.2.1'],
    aaaa: ['2001:db8::1'],
    target: ['192.0.2.1', '2001:db8::1'],
  });
});

test("if one of the target's two lookups fails, the target's addresses are unknown, unless the other lookup finds all addresses of the domain", async () => {
  dns.set('target.example', { A: ['192.0.2.1'], failing: ['AAAA'] });
  dns.set('go.example.com', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
  expect(await lookUp()).toMatchObject({ target: null });
  dns.set('go.example.com', { A: ['192.0.2.1'] });
  expect(await lookUp()).toMatchObject({ target: ['192.0.2.1'] });
  dns.breakName('target.example');
  expect(await lookUp()).toMatchObject({ target: null });
});

test('a lookup whose signal is already aborted does not wait for a silent server', async () => {
  for (const name of ['go.example.com', '_tautan.go.example.com']) dns.silence(name);
  dns.silence('target.example');
  const startedAt = performance.now();
  expect(await lookUp(AbortSignal.abort())).toEqual({
    ownership: null,
    cname: null,
    a: null,
    aaaa: null,
    target: null,
  });
  expect(performance.now() - startedAt).toBeLessThan(allowedMs(1_000));
});
