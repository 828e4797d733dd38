import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fetchProvider } from './http.js';

/** Responds to the first request on each connection, and closes the connection at the second request. */
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

const upstream = { recordRetryAfter: () => undefined };
const get = () => fetchProvider(upstream, url, { method: 'GET' }).then((answer) => answer.text());
const post = () => fetchProvider(upstream, url, { method: 'POST', body: 'x' }).then((answer) => answer.text());

test('a GET request is retried if the server closes the reused connection', async () => {
  expect(await get()).toBe('{}');
  // The connection becomes idle shortly after the response.
  await pause(50);
  expect(await get()).toBe('{}');
  expect({ requests, connections: connections.length }).toEqual({ requests: 3, connections: 2 });
});

test('a request other than GET is sent once, on its own connection', async () => {
  expect([await post(), await post(), await post()]).toEqual(['{}', '{}', '{}']);
  expect({ requests, connections: connections.length }).toEqual({ requests: 3, connections: 3 });
});

test('a request to an unreachable provider fails', async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(get()).rejects.toThrow('fetch failed');
  await new Promise<void>((resolve) => (server = createServer()).listen(0, resolve));
});
