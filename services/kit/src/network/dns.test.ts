import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startDnsServer } from '../testing/dns-server.js';
import { readConfig } from '../config/config.js';
import { dnsResolver, dnsSettings } from './dns.js';
import { EgressGuard } from './egress.js';

const read = (text: string) => readConfig(z.object(dnsSettings), { DNS_SERVERS: text }).DNS_SERVERS;

describe('name servers', () => {
  test('are addresses with or without a port', () => {
    const servers = ['192.0.2.53', '127.0.0.1:5353', '[2001:db8::53]:5353'];
    expect(read(servers.join(', '))).toEqual(servers);
    expect(dnsResolver({ servers, timeoutMs: 100, tries: 1 }).getServers()).toEqual(servers);
  });

  test.each(['dns.example.com', '192.0.2.53:x', '192.0.2.53,nobody'])('cannot be %s', (text) => {
    expect(() => read(text)).toThrow(/DNS_SERVERS: must be addresses of name servers/);
  });

  test('that do not respond are asked as often, and for as long, as configured', async () => {
    const dns = await startDnsServer();
    dns.silence('a.example');
    const resolver = dnsResolver({ servers: [dns.address], timeoutMs: 100, tries: 2 });
    const began = Date.now();
    await expect(resolver.resolve4('a.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(dns.questions).toEqual(['A a.example', 'A a.example']);
    await dns.stop();
  });

  test('default to those of the system', () => {
    const options = { servers: [], timeoutMs: 100, tries: 1 };
    expect(dnsResolver(options).getServers().length).toBeGreaterThan(0);
    expect(() => new EgressGuard()).not.toThrow();
  });
});
