import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import type { Exchange } from './exchange.js';
import { RedirectServer } from './server.js';

let server: RedirectServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close(0);
});

const page = { status: 404, fields: ['Content-Length', '5'], body: Buffer.from('hello') };
const request = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** Starts a server and returns a function that opens connections to it. */
async function serve(handle: (exchange: Exchange) => void, timeouts?: { firstRequestMs: number; keepAliveMs: number }) {
  server = new RedirectServer({ countryHeaders: [], handle, timeouts });
  const port = await server.listen(0, '127.0.0.1');
  return async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    const received = { text: '', isEnded: false };
    socket.setEncoding('latin1').on('data', (text: string) => (received.text += text));
    socket.on('end', () => (received.isEnded = true)).on('error', () => {});
    await once(socket, 'connect');
    return { socket, received, locations: () => [...received.text.matchAll(/^Location: (.*)\r$/gm)].map((m) => m[1]) };
  };
}

const redirect = (exchange: Exchange) => exchange.redirect(exchange.target, Date.now());
/** Responds after a while, as when the route must first be read from the database. */
const redirectLater = (exchange: Exchange) => void setTimeout(() => redirect(exchange), 50);

describe.each([
  ['immediately', redirect],
  ['later', redirectLater],
])('if the handler responds %s,', (_, handle) => {
  test('requests on one connection are answered in order, whatever their form', async () => {
    const open = await serve(handle);
    const { socket, locations } = await open();
    const rounds = [
      request('/1'),
      request('/2'),
      // Two at once, one in two parts, and one with a body.
      request('/3') + request('/4'),
      request('/5').slice(0, 20),
      request('/5').slice(20),
      `${request('/6', 'Content-Length: 3\r\n')}abc`,
      request('/7'),
    ];
    for (const bytes of rounds) {
      socket.write(bytes);
      const path = /^GET (\/\d)/.exec(bytes)?.[1];
      if (path && bytes.includes('\r\n\r\n')) await until(() => locations().includes(path), 3_000);
    }
    await until(() => locations().length === 7, 3_000);
    expect(locations()).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
  });

  test('requests that arrive before the previous one is answered are answered in order', async () => {
    const open = await serve(handle);
    const { socket, locations } = await open();
    for (const path of ['/1', '/2', '/3', '/4']) {
      socket.write(request(path));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await until(() => locations().length === 4, 3_000);
    expect(locations()).toEqual(['/1', '/2', '/3', '/4']);
  });

  test('a client that half-closes the connection gets its response', async () => {
    const open = await serve(handle);
    const { socket, received, locations } = await open();
    socket.end(request('/1'));
    await until(() => received.isEnded, 3_000);
    expect(locations()).toEqual(['/1']);
  });

  test('closing waits for the response and then closes the connection', async () => {
    let closed: Promise<void> | undefined;
    const open = await serve((exchange) => {
      closed = server!.close(2_000);
      handle(exchange);
    });
    const [idle, busy] = [await open(), await open()];
    busy.socket.write(request('/1'));
    await until(() => busy.received.isEnded && idle.received.isEnded, 1_500);
    expect(busy.locations()).toEqual(['/1']);
    expect(busy.received.text).toMatch(/\r\nConnection: close\r\n/);
    await closed;
  });
});

test('closing destroys connections that get no response in time', async () => {
  const open = await serve(() => {});
  const { socket, received } = await open();
  socket.write(request('/1'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server!.close(100);
  await until(() => received.isEnded || socket.destroyed, 1_000);
  expect(received.text).toBe('');
});

test('a page is sent with its body to GET and without it to HEAD, and only once', async () => {
  const open = await serve((exchange) => {
    exchange.send(page);
    exchange.send({ ...page, status: 500 });
  });
  const { socket, received } = await open();
  socket.write(request('/1').replace('GET', 'HEAD'));
  await until(() => received.text.endsWith('\r\n\r\n'), 1_000);
  socket.write(request('/2'));
  await until(() => received.text.endsWith('hello'), 1_000);
  expect(received.text.match(/^HTTP\/1.1 .*$/gm)).toEqual(['HTTP/1.1 404 Not Found', 'HTTP/1.1 404 Not Found']);
  expect(received.text.match(/hello/g)).toHaveLength(1);
});

test('stops reading from a client that does not read its responses', async () => {
  let handled = 0;
  const large = { status: 200, fields: [], body: Buffer.alloc(256 * 1024) };
  const open = await serve((exchange) => {
    handled += 1;
    exchange.send(large);
  });
  const { socket } = await open();
  socket.pause();
  const timer = setInterval(() => socket.write(request('/1')), 1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  clearInterval(timer);
  const stopped = handled;
  expect(stopped).toBeLessThan(100);
  socket.resume();
  await until(() => handled > stopped, 3_000);
});

test('a connection without a request gets 408, and an idle one is closed', async () => {
  const open = await serve(redirect, { firstRequestMs: 100, keepAliveMs: 200 });
  const [silent, idle] = [await open(), await open()];
  idle.socket.write(request('/1'));
  await until(() => silent.received.isEnded && idle.received.isEnded, 2_000);
  expect(silent.received.text).toMatch(/^HTTP\/1.1 408 /);
  expect(idle.received.text.match(/^HTTP/gm)).toHaveLength(1);
});

test('a response is sent even if it takes longer than the keep-alive timeout', async () => {
  const open = await serve((exchange) => void setTimeout(() => redirect(exchange), 300), {
    firstRequestMs: 100,
    keepAliveMs: 100,
  });
  const { socket, locations } = await open();
  socket.write(request('/1'));
  await until(() => locations().length === 1, 2_000);
});

test.each(['keep-alive', 'close'])('with Connection: %s, the exchange matches the request', async (connection) => {
  let handledExchange: Exchange | undefined;
  let status: number | undefined;
  const open = await serve((exchange) => {
    handledExchange = exchange;
    exchange.onSent = (code) => (status = code);
    redirect(exchange);
  });
  const { socket } = await open();
  const headers = ['Accept: a', 'User-Agent: UA', 'X-Forwarded-For: 1.1.1.1', 'Accept: b', `Connection: ${connection}`];
  socket.write(request('/path?q', `${headers.join('\r\n')}\r\n`));
  await until(() => status !== undefined, 1_000);
  expect(status).toBe(302);
  const { method, target, head, accept } = handledExchange!;
  expect({ method, target, accept }).toEqual({ method: 'GET', target: '/path?q', accept: 'a, b' });
  expect(head).toMatchObject({ host: 'a', userAgent: 'UA', forwardedFor: '1.1.1.1' });
});
