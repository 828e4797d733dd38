import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Connections } from './connections.js';

test('are replaced by the first call behind their age, and all closed in the end', async () => {
  const made: { isClosed: boolean }[] = [];
  const connections = new Connections(() => {
    const client = { isClosed: false, close: () => (client.isClosed = true) };
    made.push(client);
    return client as unknown as Client;
  }, 20);
  const first = connections.current;
  expect(connections.current).toBe(first);
  await sleep(25);
  expect(connections.current).not.toBe(first);
  expect(made.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  connections.close();
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});
