import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { RedirectHead } from './redirect-head.js';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Serves redirects to `/<n>` for the nth request, at a time set by the test. */
async function serve(
  now: () => number,
  prepare: (response: ServerResponse) => void = () => undefined,
): Promise<number> {
  const head = new RedirectHead();
  let served = 0;
  server = createServer((incoming, response) => {
    prepare(response);
    head.send(incoming, response, `https://example.com/${(served += 1)}`, now());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const get = (port: number, method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', method }, (response) => resolve(response.resume()))
      .on('error', reject)
      .end();
  });

test('all headers within a second equal those rendered by Node.js, except for the Location', async () => {
  const port = await serve(() => 1_000_000);
  const heads = [await get(port), await get(port), await get(port, 'HEAD')];
  const fieldsOf = ({ rawHeaders }: IncomingMessage) =>
    rawHeaders.filter((_, i) => !/^(?:location|date)$/i.test(rawHeaders[i - (i % 2)]!));
  expect(heads.map(({ statusCode, statusMessage }) => [statusCode, statusMessage])).toEqual(
    Array(3).fill([302, 'Found']),
  );
  expect(heads.map(({ headers }) => headers.location)).toEqual([1, 2, 3].map((i) => `https://example.com/${i}`));
  expect(fieldsOf(heads[1]!)).toEqual(fieldsOf(heads[0]!));
  expect(heads.every(({ headers }) => !Number.isNaN(Date.parse(headers.date!)))).toBe(true);
});

test('the date advances with the seconds', async () => {
  let now = 1_000_000;
  const port = await serve(() => (now += 1_000));
  const first = Date.parse((await get(port)).headers.date!);
  for (const end = Date.now() + 3_000; Date.parse((await get(port)).headers.date!) === first;) {
    if (Date.now() > end) throw new Error('the date does not advance');
  }
});

test('clients without keep-alive get the matching headers, even within a second', async () => {
  let last = false;
  const port = await serve(
    () => 1_000_000,
    (response) => last && (response.shouldKeepAlive = false),
  );
  await get(port);
  last = true;
  expect((await get(port)).headers.connection).toBe('close');
  last = false;
  const old = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
    socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
  });
  expect(old).toMatch(/\r\nConnection: close\r\n/);
});
