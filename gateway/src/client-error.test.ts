import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '@tautan/kit';
import { createEnvelopeServer } from './client-error.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * Sends `bytes` to a new server, and then `more` when the response to `/slow` has begun. Returns everything that the
 * server sends back. Its request handler responds only to `/fast` and `/slow`, and never finishes the response to `/slow`.
 */
async function responseTo(bytes: string, more?: string): Promise<string> {
  const server = createEnvelopeServer({}, (request, response) => {
    if (request.url === '/slow') response.writeHead(200, { 'content-length': '8' }).write('half');
    if (request.url === '/fast') response.writeHead(204, { connection: 'close' }).end();
  });
  servers.push(server);
  const socket = connect(await listen(server, 0, '127.0.0.1'), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => {}).write(bytes);
  while (more !== undefined && !received.endsWith('half')) await once(socket, 'data');
  if (more !== undefined) socket.write(more);
  await once(socket, 'close');
  return received;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('responds to malformed requests with the envelope', async () => {
  expect(await responseTo('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"/);
});

test('responds with the envelope to a request without Host if its HTTP version requires Host', async () => {
  const refused = await responseTo('GET /fast HTTP/1.1\r\n\r\n');
  expect(refused).toMatch(/^HTTP\/1\.1 400 [^]*X-Request-Id: req_[^]*"code":"VALIDATION_ERROR"/);
  expect(await responseTo('GET /fast HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 /);
});

test('ignores an Expect header with an unknown value', async () => {
  expect(await responseTo('GET /fast HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 /);
});

test.each([
  ['immediately', ''],
  ['after another request', get('/other')],
])('does not write into an unfinished response if malformed bytes follow its request %s', async (_, between) => {
  const received = await responseTo(`${get('/slow')}${between}`, 'hello\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nhalf$/);
  const atOnce = await responseTo(`${get('/slow')}${between}hello\r\n\r\n`);
  expect(atOnce.split('HTTP/1.1 ').length - 1).toBeLessThan(2);
});
