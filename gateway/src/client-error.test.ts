import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '@tautan/kit';
import { answerClientErrors } from './client-error.js';

let server: Server;
afterEach(() => void server.close());

/**
 * Sends bytes to a new server and returns everything that it sends back. Its request handler responds
 * only to `/slow`, and never finishes that response.
 */
async function responseTo(bytes: string): Promise<string> {
  server = createServer((request, response) => {
    if (request.url === '/slow') response.writeHead(200, { 'content-length': '8' }).write('half');
  });
  answerClientErrors(server);
  const socket = connect(await listen(server, 0, '127.0.0.1'), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => {}).write(bytes);
  await once(socket, 'close');
  return received;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('responds to malformed requests with the envelope', async () => {
  expect(await responseTo('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"/);
});

test.each([
  ['immediately', ''],
  ['after another request', get('/other')],
])('writes nothing into a response if malformed bytes follow %s', async (_, between) => {
  const received = await responseTo(`${get('/slow')}${between}hello\r\n\r\n`);
  expect(received.split('HTTP/1.1 ').length - 1).toBeLessThan(2);
});
