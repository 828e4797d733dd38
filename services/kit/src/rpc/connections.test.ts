import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Connections, nameOf } from './connections.js';

/** Counts clients, which establish connections when the test says so. */
function fakeClients(isReady: boolean) {
  const made: { isClosed: boolean; settle(error?: Error): void }[] = [];
  const create = () => {
    const client = {
      isClosed: false,
      settle: (_error?: Error) => {},
      close: () => (client.isClosed = true),
      getChannel: () => ({ getConnectivityState: () => (isReady ? 2 : 0) }),
      waitForReady: (_deadline: number, callback: (error?: Error) => void) => (client.settle = callback),
    };
    made.push(client);
    return client as unknown as Client;
  };
  return { made, create };
}

test('are replaced by the first call after their maximum age, and all closed in the end', async () => {
  const { made, create } = fakeClients(false);
  const connections = new Connections({ create, maxAgeMs: 20 });
  const { client: first } = connections.acquire();
  expect(connections.acquire().client).toBe(first);
  await sleep(25);
  expect(connections.acquire().client).not.toBe(first);
  expect(made.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  connections.close();
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});

test('that are established stay until new ones are', () => {
  const { made, create } = fakeClients(true);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => (replaced = () => {})) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  replaced();
  replaced();
  expect(made).toHaveLength(3);
  expect(made[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  made[1]!.settle(new Error('closed'));
  made[2]!.settle();
  expect(connections.acquire().client).toBe(made[2]);
  connections.close();
  expect(made.every(({ isClosed }) => isClosed)).toBe(true);
  replaced();
  expect(made).toHaveLength(3);
});

test('that are replaced are closed after their last call', () => {
  const { made, create } = fakeClients(false);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const leases = [connections.acquire(), connections.acquire()];
  replaced();
  connections.release(leases[0]!);
  expect(made[0]!.isClosed).toBe(false);
  connections.release(leases[1]!);
  expect(made[0]!.isClosed).toBe(true);
  connections.release(connections.acquire());
  expect(made[1]!.isClosed).toBe(false);
  replaced();
  expect(made[1]!.isClosed).toBe(true);
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
])('to %s resolve %s', (target, name) => {
  expect(nameOf(target)).toBe(name);
});

test('that cannot be established are retried by the next call', () => {
  const { made, create } = fakeClients(true);
  let replaced = () => {};
  const certificates = { onChange: (listener: () => void) => ((replaced = listener), () => {}) };
  const connections = new Connections({ create, maxAgeMs: 60_000, certificates });
  const { client: first } = connections.acquire();
  replaced();
  made[1]!.settle(new Error('late'));
  expect(made[1]!.isClosed).toBe(true);
  expect(connections.acquire().client).toBe(first);
  expect(made).toHaveLength(3);
  made[2]!.settle();
  expect(connections.acquire().client).toBe(made[2]);
  connections.close();
});
