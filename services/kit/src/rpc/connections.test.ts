import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Connections, nameOf } from './connections.js';

/** Creates fake clients, whose connections the test establishes with `settle`. */
function fakeClients(isReady: boolean) {
  const clients: { isClosed: boolean; settle(error?: Error): void }[] = [];
  const create = () => {
    const client = {
      isClosed: false,
      settle: (_error?: Error) => {},
      close: () => (client.isClosed = true),
      getChannel: () => ({ getConnectivityState: () => (isReady ? 2 : 0) }),
      waitForReady: (_deadline: number, callback: (error?: Error) => void) => (client.settle = callback),
    };
    clients.push(client);
    return client as unknown as Client;
  };
  return { clients, create };
}

test('connections are replaced by the first call after their maximum age, and close() closes all of them', async () => {
  const { clients, create } = fakeClients(false);
  const connections = new Connections({ create, maxAgeMs: 20 });
  const { client: first } = connections.acquire();
  expect(connections.acquire().client).toBe(first);
  await sleep(25);
  expect(connections.acquire().client).not.toBe(first);
  expect(clients.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  connections.close();
  expect(clients.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});

test('established connections stay in use until new ones are established', () => {
  const { clients, create } = fakeClients(true);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => (replaced = () => {})) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  replaced();
  replaced();
  expect(clients).toHaveLength(3);
  expect(clients[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  clients[1]!.settle(new Error('closed'));
  clients[2]!.settle();
  expect(connections.acquire().client).toBe(clients[2]);
  connections.close();
  expect(clients.every(({ isClosed }) => isClosed)).toBe(true);
  replaced();
  expect(clients).toHaveLength(3);
});

test('replaced connections are closed after their last call', () => {
  const { clients, create } = fakeClients(false);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const acquired = [connections.acquire(), connections.acquire()];
  replaced();
  connections.release(acquired[0]!);
  expect(clients[0]!.isClosed).toBe(false);
  connections.release(acquired[1]!);
  expect(clients[0]!.isClosed).toBe(true);
  connections.release(connections.acquire());
  expect(clients[1]!.isClosed).toBe(false);
  replaced();
  expect(clients[1]!.isClosed).toBe(true);
  connections.close();
});

test.each([
  ['links:50051', 'links'],
  ['dns:links', 'links'],
  ['dns:///links.tautan.svc:50051', 'links.tautan.svc'],
  ['dns://192.0.2.1/links:50051', 'links'],
  ['127.0.0.1:50051', undefined],
  ['[::1]:50051', undefined],
  ['ipv4:127.0.0.1:1,127.0.0.2:1', undefined],
  ['unix:/run/links', undefined],
])('the host name in the address %s is %s', (target, name) => {
  expect(nameOf(target)).toBe(name);
});

test('connections that cannot be established are retried by the next call', () => {
  const { clients, create } = fakeClients(true);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  replaced();
  clients[1]!.settle(new Error('late'));
  expect(clients[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  expect(clients).toHaveLength(3);
  clients[2]!.settle();
  expect(connections.acquire().client).toBe(clients[2]);
  connections.close();
});
