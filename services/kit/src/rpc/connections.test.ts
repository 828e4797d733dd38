import type { Client } from '@grpc/grpc-js';
import dns from 'node:dns';
import { afterEach, expect, jest, test } from '@jest/globals';
import { Connections, nameOf } from './connections.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/**
 * Creates fake clients. If `isReady` is true, every client reports an established connection, and is therefore used
 * until the test calls `settle` on the client that replaces it. If `isReady` is false, a client that replaces another
 * is used as soon as it is created.
 */
function fakeClients(isReady: boolean) {
  const clients: { isClosed: boolean; connectBy: number; settle(error?: Error): void }[] = [];
  const create = () => {
    const client = {
      isClosed: false,
      connectBy: 0,
      settle: (_error?: Error) => {},
      close: () => (client.isClosed = true),
      getChannel: () => ({ getConnectivityState: () => (isReady ? 2 : 0) }),
      waitForReady: (deadline: number, callback: (error?: Error) => void) => {
        client.connectBy = deadline;
        client.settle = callback;
      },
    };
    clients.push(client);
    return client as unknown as Client;
  };
  return { clients, create };
}

test.each([
  [0, 900],
  [0.5, 1_000],
  [1, 1_100],
])(
  'connections are replaced by the first call after their maximum age, give or take 10%%, and close() closes all of them (random: %p)',
  (random, age) => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(random);
    const { clients, create } = fakeClients(false);
    const connections = new Connections({ create, maxAgeMs: 1_000 });
    const { client: first } = connections.acquire();
    jest.advanceTimersByTime(age - 1);
    expect(connections.acquire().client).toBe(first);
    jest.advanceTimersByTime(1);
    expect(connections.acquire().client).not.toBe(first);
    expect(clients.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    connections.close();
    expect(clients.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  },
);

test('connections are replaced when the addresses of their host name change; close() ends the lookups', async () => {
  jest.useFakeTimers();
  const both = ['192.0.2.1', '192.0.2.2'];
  const answers = [both, both.toReversed(), undefined, ['192.0.2.2'], ['192.0.2.2'], ['192.0.2.3'], both];
  const lookUp = jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => {
    const addresses = answers[lookUp.mock.calls.length - 1];
    if (!addresses) throw new Error('no answer');
    return addresses.map((address) => ({ address, family: 4 }));
  }) as never);
  const { clients, create } = fakeClients(false);
  const connections = new Connections({ create, maxAgeMs: 3_600_000, name: 'links' });
  const created: number[] = [];
  for (const _ of answers) {
    await jest.advanceTimersByTimeAsync(9_999);
    created.push(clients.length);
    await jest.advanceTimersByTimeAsync(1);
  }
  expect(created).toEqual([1, 1, 1, 2, 2, 3, 4]);
  expect(lookUp.mock.calls[0]).toEqual(['links', { all: true }]);
  connections.close();
  new Connections({ create, maxAgeMs: 3_600_000, name: 'links' }).close();
  await jest.advanceTimersByTimeAsync(60_000);
  // A lookup that has already begun is not cancelled.
  expect(lookUp).toHaveBeenCalledTimes(answers.length + 2);
});

test('an address without a host name is not looked up', async () => {
  jest.useFakeTimers();
  const lookUp = jest.spyOn(dns.promises, 'lookup').mockRejectedValue(new Error('unexpected'));
  const connections = new Connections({ create: fakeClients(false).create, maxAgeMs: 3_600_000, name: undefined });
  await jest.advanceTimersByTimeAsync(20_000);
  expect(lookUp).not.toHaveBeenCalled();
  connections.close();
});

test('established connections stay in use until new ones are established', () => {
  const { clients, create } = fakeClients(true);
  let changeCertificates = () => {};
  const certificates = {
    onChange: (listener: () => void) => ((changeCertificates = listener), () => (changeCertificates = () => {})),
  };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  changeCertificates();
  changeCertificates();
  expect(clients).toHaveLength(3);
  expect(clients[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  expect(clients[2]!.connectBy).toBeGreaterThan(Date.now());
  clients[1]!.settle(new Error('closed'));
  clients[2]!.settle();
  expect(connections.acquire().client).toBe(clients[2]);
  connections.close();
  expect(clients.every(({ isClosed }) => isClosed)).toBe(true);
  changeCertificates();
  expect(clients).toHaveLength(3);
});

test('replaced connections are closed after their last call', () => {
  const { clients, create } = fakeClients(false);
  let changeCertificates = () => {};
  const certificates = { onChange: (listener: () => void) => ((changeCertificates = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const acquired = [connections.acquire(), connections.acquire()];
  changeCertificates();
  connections.release(acquired[0]!);
  expect(clients[0]!.isClosed).toBe(false);
  connections.release(acquired[1]!);
  expect(clients[0]!.isClosed).toBe(true);
  connections.release(connections.acquire());
  expect(clients[1]!.isClosed).toBe(false);
  changeCertificates();
  expect(clients[1]!.isClosed).toBe(true);
  connections.close();
});

test.each([
  ['links:50051', 'links'],
  ['dns:links', 'links'],
  ['dns:///links.tautan.svc:50051', 'links.tautan.svc'],
  ['dns://192.0.2.1/links:50051', 'links'],
  ['x/links:50051', undefined],
  ['links:50051/x', undefined],
  ['links:x', undefined],
  ['127.0.0.1:50051', undefined],
  ['[::1]:50051', undefined],
  ['ipv4:127.0.0.1:1,127.0.0.2:1', undefined],
  ['unix:/run/links', undefined],
])('the host name in the address %s is %s', (target, name) => {
  expect(nameOf(target)).toBe(name);
});

test('connections that cannot be established are retried by the next call', () => {
  const { clients, create } = fakeClients(true);
  let changeCertificates = () => {};
  const certificates = { onChange: (listener: () => void) => ((changeCertificates = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  changeCertificates();
  clients[1]!.settle(new Error('late'));
  expect(clients[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  expect(clients).toHaveLength(3);
  clients[2]!.settle();
  expect(connections.acquire().client).toBe(clients[2]);
  connections.close();
});
