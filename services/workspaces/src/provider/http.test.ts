import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fetchProvider } from './http.js';

/** Answers the first request of each connection, and cuts a connection that is used again. */
let server: Server;
let url: string;
let connections: Socket[];
let requests: number;

beforeEach(async () => {
  connections = [];
  requests = 0;
  server = createServer((socket) => {
    connections.push(socket);
    let used = false;
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
      if (used) return void socket.destroy();
      used = true;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of connections) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const get = () => fetchProvider(url, { method: 'GET' }).then((answer) => answer.text());
const post = () => fetchProvider(url, { method: 'POST', body: 'x' }).then((answer) => answer.text());

test('what only reads is repeated when the connection goes as it is used again', async () => {
  expect(await get()).toBe('{}');
  // The connection is idle a moment after the answer's end.
  await pause(50);
  expect(await get()).toBe('{}');
  expect({ requests, connections: connections.length }).toEqual({ requests: 3, connections: 2 });
});

test('all else is sent once, on a connection of its own', async () => {
  expect([await post(), await post(), await post()]).toEqual(['{}', '{}', '{}']);
  expect({ requests, connections: connections.length }).toEqual({ requests: 3, connections: 3 });
});

test('a provider that is not there is told at once', async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(get()).rejects.toThrow('fetch failed');
  await new Promise<void>((resolve) => (server = createServer()).listen(0, resolve));
});
