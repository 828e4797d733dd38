import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { startDnsServer } from '../testing/dns-server.js';
import { EgressGuard, isPublicAddress } from './egress.js';

const refused = [
  // Loopback and unspecified
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '::1',
  '::',
  '0:0:0:0:0:0:0:1',
  // Private, shared and link-local
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  'fe80::1',
  'febf::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fec0::1',
  // Multicast, broadcast, reserved, documentation, benchmarks
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '198.19.255.255',
  '192.88.99.1',
  'ff02::1',
  'ff0e::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  // Platform services of Azure
  '168.63.129.16',
  // IPv4 in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, link-local ISATAP
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff::a00:1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:808:808::1',
  '2001::1',
  '2001:0:7f00:1::',
  'fe80::5efe:10.0.0.1',
  // ORCHID
  '2001:10::1',
  '2001:20::1',
  // Never assigned to hosts
  '4000::1',
  'e000::1',
  '5f00::1',
  '1::1',
  // Unusual notations, and texts that are not addresses
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0x7f.1',
  '10.1',
  '0xa9fea9fe',
  '192.168.257',
  '0',
  '::ffff:0x7f.0.0.1',
  '',
  'example.com',
  '1.2.3.4.5',
  '256.1.1.1',
];

const allowed = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '192.167.1.1',
  '169.253.1.1',
  '11.0.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:4860:4860::8888',
  '2003::1',
  '2400:cb00::1',
];

describe('an address', () => {
  test.each(refused)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(allowed)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
});

const hostOf = (url: string): string => new URL(url).hostname;

describe('the host of a URL', () => {
  const guard = new EgressGuard({ resolve: async () => ['8.8.8.8'] });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0/',
    'http://0.0.0.0/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://10.1/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://192.168.1.1:8080/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://x.localhost/',
    'http://user@127.0.0.1/',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1\\@example.com/',
  ])('%s is rejected', async (url) => {
    expect(guard.mayConnectTo(hostOf(url))).toBe(false);
    await expect(guard.addressesOf(hostOf(url))).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  });

  test.each(['http://example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://localhost.example.com/'])(
    '%s is allowed',
    async (url) => {
      expect(guard.mayConnectTo(hostOf(url))).toBe(true);
      expect(await guard.addressesOf(hostOf(url))).toHaveLength(1);
    },
  );
});

test('an address in any notation is converted to its usual notation', async () => {
  const guard = new EgressGuard();
  expect(await guard.addressesOf('134744072')).toEqual(['8.8.8.8']);
  expect(await guard.addressesOf('[2606:4700:0:0::1111]')).toEqual(['2606:4700::1111']);
});

describe('a name', () => {
  test('resolves to its public addresses only', async () => {
    const guard = new EgressGuard({ resolve: async () => ['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111'] });
    expect(await guard.addressesOf('mixed.example.com')).toEqual(['8.8.8.8', '2606:4700::1111']);
  });

  test('with only private addresses, or with no address at all, is rejected', async () => {
    for (const addresses of [['10.0.0.1', '::ffff:10.0.0.1'], []]) {
      const guard = new EgressGuard({ resolve: async () => addresses });
      await expect(guard.addressesOf('x.example.com')).rejects.toMatchObject({
        code: 'EGRESS_REFUSED',
        message: 'x.example.com has no public address',
      });
    }
  });

  test('whose address alternates between public and private never leads to a connection to the private address', async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    let queries = 0;
    // Connections to 8.8.8.8 fail or time out, because nothing listens on this port.
    const rebinding = async () => [(queries += 1) % 2 === 1 ? '8.8.8.8' : '127.0.0.1'];
    const guard = new EgressGuard({ resolve: rebinding });
    const lookups: unknown[] = [];
    for (let i = 0; i < 50; i += 1) {
      const outcome = await new Promise((resolve) => {
        guard.lookup('rebind.example.com', { all: true }, (error, addresses) => resolve(error ?? addresses));
      });
      lookups.push(outcome);
      if (i % 2 === 0) continue;
      const socket = connect({ host: 'rebind.example.com', port, lookup: guard.lookup, timeout: 100 });
      await new Promise((resolve) => socket.once('error', resolve).once('timeout', resolve));
      socket.destroy();
    }
    expect(lookups.filter((outcome) => Array.isArray(outcome)).length).toBeGreaterThan(0);
    for (const outcome of lookups) {
      if (Array.isArray(outcome)) expect(outcome).toEqual([{ address: '8.8.8.8', family: 4 }]);
      else expect(outcome).toMatchObject({ code: 'EGRESS_REFUSED' });
    }
    expect(connections).toBe(0);
    inside.close();
  });

  test('of this machine is resolved locally, and only allowed in development', async () => {
    const resolve = (): Promise<string[]> => Promise.reject(new Error('DNS was queried'));
    const development = new EgressGuard({ allowLoopback: true, resolve });
    expect(await development.addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await development.addressesOf('[::1]')).toEqual(['::1']);
    for (const host of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::ffff:127.0.0.1']) {
      await expect(development.addressesOf(host)).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    }
    for (const host of ['localhost', '127.9.9.9', '[::1]', 'x.LOCALHOST.', '127.0.0.1.'])
      expect([host, development.isLoopback(host), development.mayConnectTo(host)]).toEqual([host, true, true]);
    for (const host of [
      'example.com',
      'xlocalhost',
      'localhost.example.com',
      '10.0.0.1',
      '[::2]',
      '[::1].',
      '127.0.0[.1]',
    ])
      expect([host, development.isLoopback(host)]).toEqual([host, false]);
    expect(development.mayConnectTo('10.0.0.1')).toBe(false);
  });

  test.each([
    [['8.8.8.8', '2606:4700::1111'], '8.8.8.8', 4],
    [['10.0.0.1', '2606:4700::1111'], '2606:4700::1111', 6],
  ])('with the addresses %j resolves to %s for a caller that wants only one', async (addresses, address, family) => {
    const guard = new EgressGuard({ resolve: async () => addresses });
    const found = await new Promise((resolve) => {
      guard.lookup('x.example.com', {}, (error, ...result) => resolve(error ?? result));
    });
    expect(found).toEqual([address, family]);
  });
});

test('concurrent lookups share one A query and one AAAA query, and one successful answer is enough', async () => {
  const dns = await startDnsServer();
  const guard = new EgressGuard({ servers: [dns.address] });
  const find = () => guard.addressesOf('a.example.com');
  dns.set('a.example.com', { A: ['8.8.8.8'], AAAA: ['2606:4700::1111'] });
  const both = ['8.8.8.8', '2606:4700::1111'];
  expect(await Promise.all([find(), find()])).toEqual([both, both]);
  expect(dns.questions.sort()).toEqual(['A a.example.com', 'AAAA a.example.com']);
  dns.set('a.example.com', { A: ['1.1.1.1'], failing: ['AAAA'] });
  expect(await find()).toEqual(['1.1.1.1']);
  dns.set('a.example.com', { AAAA: ['2606:4700::1001'], failing: ['A'] });
  expect(await find()).toEqual(['2606:4700::1001']);
  dns.breakName('a.example.com');
  await expect(find()).rejects.toMatchObject({ code: 'ESERVFAIL' });
  dns.set('a.example.com', {});
  await expect(find()).rejects.toMatchObject({ code: 'ENODATA' });
  dns.set('a.example.com', { CNAME: ['b.example.com'], failing: ['AAAA'] });
  await expect(find()).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await dns.stop();
});
