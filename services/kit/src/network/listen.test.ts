import { createServer } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { allowedMs } from '../testing/allowed-ms.js';
import { closeHttp, listen } from './listen.js';

const connected = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
};

test('a port that cannot be used is reported in one sentence', async () => {
  const server = createServer();
  const port = await listen(server, 0, '127.0.0.1');
  await expect(listen(createServer(), port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use.`,
  );
  await expect(listen(createServer(), 0, '198.51.100.1')).rejects.toThrow(
    'Port 0 on 198.51.100.1 cannot be used (EADDRNOTAVAIL).',
  );
  await closeHttp(server, 1_000);
});

test('closing ends preconnected and kept-alive connections immediately', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  const port = await listen(server, 0, '127.0.0.1');
  const quiet = await connected(port);
  const kept = await connected(port);
  kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(kept, 'data');
  const began = Date.now();
  await closeHttp(server, 5_000);
  expect(Date.now() - began).toBeLessThan(allowedMs(1_000));
  quiet.destroy();
  kept.destroy();
});

test('closing waits for a running request, and ends its kept-alive connection afterwards', async () => {
  let finish: () => void = () => {};
  const server = createServer((_request, response) => (finish = () => response.end('ok')));
  const port = await listen(server, 0, '127.0.0.1');
  const socket = await connected(port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  const closed = closeHttp(server, 5_000);
  finish();
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
  const began = Date.now();
  await closed;
  expect(Date.now() - began).toBeLessThan(allowedMs(1_000));
  socket.destroy();
});

test('closing a server that is not listening has no effect', async () => {
  await closeHttp(createServer(), 5_000);
});

test('closing aborts connections after the timeout', async () => {
  const server = createServer(() => {});
  const port = await listen(server, 0, '127.0.0.1');
  const socket = await connected(port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  const gone = once(socket, 'close');
  await closeHttp(server, 100);
  await gone;
});
