import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { createDnsLookup } from './dns-lookup.js';

test('a lookup whose signal is already aborted does not wait for a silent server', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  const lookUp = createDnsLookup([`127.0.0.1:${server.address().port}`], { host: 'go.example.com', addresses: [] });
  const startedAt = performance.now();
  expect(await lookUp('links.example.net', AbortSignal.abort())).toEqual({
    ownership: null,
    cname: null,
    a: null,
    aaaa: null,
    target: null,
  });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  server.close();
});
