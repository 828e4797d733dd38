import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EgressGuard, sleep, type Resolve } from '@tautan/kit';
import { allowedMs, certificates, until } from '@tautan/kit/testing';
import { Receiver } from '../testing/receiver.js';
import { Sender, type SenderOptions } from './sender.js';

const { authority, expired, valid } = certificates;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start();
  ends.push(() => receiver.stop());
});

function aSender(options: Partial<SenderOptions> = {}): Sender {
  const guard = new EgressGuard({ allowLoopback: true });
  const sender = new Sender({ guard, timeoutMs: 1_000, now: () => new Date(), ...options });
  ends.push(() => sender.stop());
  return sender;
}
const post = (url: string, sender: Sender) => sender.send({ url, headers: { 'x-test': 'yes' }, body: '{"a":"é"}' });
const send = async (url: string, sender = aSender()) => (await post(url, sender))!;

/** Starts a TCP server that passes each connection to `serve` once data has arrived on it. Returns the server's URL. */
async function raw(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => serve(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([
  ['expires', undefined],
  ['is replaced by another one', 'second'],
])('posts nothing, and disconnects, if the lease %s while it connects', async (_how, next) => {
  const leases = ['first', next];
  expect(await post(receiver.url(), aSender({ lease: () => leases.shift() }))).toBeUndefined();
  await until(() => receiver.connections === 1 && receiver.openConnections === 0);
  expect(receiver.received).toEqual([]);
});

test('posts nothing over an idle connection if the lease expires before the message is written', async () => {
  const leases = ['first', 'first', 'first', undefined];
  const sender = aSender({ lease: () => leases.shift() });
  await send(receiver.url(), sender);
  await sleep(50);
  expect(await post(receiver.url(), sender)).toBeUndefined();
  expect(receiver.connections).toBe(1);
  expect(receiver.received).toHaveLength(1);
});

test('posts a message with its headers and body to the path and query of the URL', async () => {
  const outcome = await send(receiver.url('/hook?key=1'));
  expect(outcome).toMatchObject({ statusCode: 200, error: null, responseSnippet: 'ok', retryAfterMs: null });
  expect(receiver.received).toMatchObject([{ path: '/hook?key=1', body: '{"a":"é"}', headers: { 'x-test': 'yes' } }]);
});

test('reuses connections if the response bodies have at most 16 KiB', async () => {
  const sender = aSender();
  receiver.respond = (_request, response) => {
    response.write('x'.repeat(16 * 1_024));
    setTimeout(() => response.end(), 10);
  };
  for (let i = 0; i < 20; i += 1) await send(receiver.url(), sender);
  expect(receiver.connections).toBeLessThanOrEqual(2);
});

describe('a receiver', () => {
  test.each([200, 204, 299])('that responds with %d counts as a success', async (status) => {
    receiver.respond = (_request, response) => void response.writeHead(status).end();
    expect(await send(receiver.url())).toMatchObject({ statusCode: status, error: null });
  });

  test.each([300, 301, 302, 303, 307, 308])(
    'that responds with %d counts as a failure, and the redirect is not followed',
    async (status) => {
      receiver.respond = (_request, response) =>
        void response.writeHead(status, { location: receiver.url('/next') }).end();
      expect(await send(receiver.url())).toMatchObject({
        statusCode: status,
        error: `the receiver responded with ${status}`,
      });
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('that never responds fails after the timeout, and is disconnected', async () => {
    receiver.respond = () => {};
    const outcome = await send(receiver.url());
    expect(outcome).toMatchObject({ statusCode: null, error: 'no response within 1 s', responseSnippet: null });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(990);
    expect(outcome.durationMs).toBeLessThan(allowedMs(2_000));
    await until(() => receiver.openConnections === 0);
  });

  test('that has not responded when the sender stops is a failure', async () => {
    const sender = aSender({ timeoutMs: 60_000 });
    receiver.respond = () => void sender.stop();
    expect(await send(receiver.url(), sender)).toMatchObject({ statusCode: null, error: 'the attempt failed' });
  });

  test('fails after the timeout if its status line or its headers arrive slowly', async () => {
    for (const text of ['HTTP/1.1 200 OK\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100)}`]) {
      const url = await raw((socket) => {
        let i = 0;
        const timer = setInterval(() => (i < text.length ? socket.write(text[i++]!) : undefined), 50);
        socket.once('close', () => clearInterval(timer));
      });
      const outcome = await send(url);
      expect(outcome).toMatchObject({ statusCode: null, error: 'no response within 1 s' });
      expect(outcome.durationMs).toBeLessThan(allowedMs(2_000));
    }
  });

  test('that responds with 200 and a slow body of 100 MB is cut off after a second', async () => {
    let written = 0;
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n');
      const timer = setInterval(() => socket.write('x'.repeat(50)) && (written += 50), 20);
      socket.once('close', () => clearInterval(timer));
    });
    const outcome = await send(url, aSender({ timeoutMs: 15_000 }));
    expect(outcome).toMatchObject({ statusCode: 200, error: null });
    expect(outcome.durationMs).toBeLessThan(allowedMs(2_500));
    expect(written).toBeLessThan(100_000);
  });

  test('that sends 100 MB is cut off long before the end', async () => {
    let written = 0;
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 104857600\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && written < 104_857_600 && socket.write('x'.repeat(65_536))) written += 65_536;
      };
      socket.on('drain', pour);
      pour();
    });
    const outcome = await send(url);
    expect(outcome).toMatchObject({ statusCode: 500, responseSnippet: 'x'.repeat(1_024) });
    expect(written).toBeLessThan(20 * 1_048_576);
  });

  test('that resets the connection is an immediate failure', async () => {
    const outcome = await send(await raw((socket) => void socket.resetAndDestroy()));
    expect(outcome).toMatchObject({ statusCode: null, error: 'the connection was reset' });
  });

  test('that closes without a response is a failure', async () => {
    const outcome = await send(await raw((socket) => void socket.end()));
    expect(outcome).toMatchObject({ statusCode: null, error: 'the connection was closed before a response' });
  });

  test('that closes the connection during the body counts as having responded', async () => {
    const url = await raw((socket) => void socket.end('HTTP/1.1 202 OK\r\ncontent-length: 100\r\n\r\npart'));
    expect(await send(url)).toMatchObject({ statusCode: 202, error: null, responseSnippet: 'part' });
  });

  test('that does not speak HTTP is a failure', async () => {
    const outcome = await send(await raw((socket) => void socket.end('220 mail.example.com ESMTP\r\n')));
    expect(outcome).toMatchObject({ statusCode: null, error: 'the response is not HTTP' });
  });

  test('whose response headers are too large is a failure', async () => {
    const url = await raw((socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`));
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'the response headers are too large' });
  });

  test('that refuses the connection is a failure', async () => {
    const url = receiver.url();
    await receiver.stop();
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'the connection was refused' });
  });

  test('that sends an empty body has no snippet, and the snippet of a longer body is limited to 1,024 bytes', async () => {
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    expect((await send(receiver.url())).responseSnippet).toBeNull();
    receiver.respond = (_request, response) => void response.end('y'.repeat(1_025));
    expect((await send(receiver.url())).responseSnippet).toBe('y'.repeat(1_024));
    receiver.respond = (_request, response) => {
      response.write('y'.repeat(600));
      setTimeout(() => response.end('z'.repeat(600)), 50);
    };
    expect((await send(receiver.url())).responseSnippet).toBe('y'.repeat(600) + 'z'.repeat(424));
  });

  test('that sends Retry-After with a 503 sets the minimum delay before the next attempt', async () => {
    receiver.respond = (_request, response) => void response.writeHead(503, { 'retry-after': '7' }).end();
    expect((await send(receiver.url())).retryAfterMs).toBe(7_000);
    receiver.respond = (_request, response) => void response.setHeader('retry-after', ['8', '9']).writeHead(503).end();
    expect(await send(receiver.url())).toMatchObject({ statusCode: 503, retryAfterMs: 8_000 });
  });

  test('that sends a date in Retry-After gets the next attempt at that date, regardless of when the current one started', async () => {
    const start = Date.UTC(2030, 0, 1);
    let now = start;
    receiver.respond = (_request, response) => {
      now += 10_000;
      response.writeHead(503, { 'retry-after': new Date(start + 30_000).toUTCString() }).end();
    };
    const outcome = await send(receiver.url(), aSender({ now: () => new Date(now) }));
    expect(outcome).toMatchObject({ at: new Date(start), retryAfterMs: 20_000 });
  });
});

describe('a receiver at an https URL', () => {
  const resolve: Resolve = async () => ['127.0.0.1'];
  const guard = new EgressGuard({ allowLoopback: true, resolve });
  const aTlsReceiver = async (tls: { key: string; cert: string }) => {
    const secure = await Receiver.start({ tls });
    ends.push(() => secure.stop());
    return { secure, url: `https://hooks.example.test:${secure.port}/hook` };
  };

  test('with a valid certificate receives the message, with the host and port of the URL as Host header', async () => {
    const { secure, url } = await aTlsReceiver(valid);
    expect(await send(url, aSender({ guard, ca: authority }))).toMatchObject({ statusCode: 200 });
    expect(secure.received[0]!.headers['host']).toBe(`hooks.example.test:${secure.port}`);
  });

  test.each([
    [
      'from an unknown authority',
      valid,
      undefined,
      'hooks.example.test',
      'is not signed by a trusted authority, or its chain is incomplete',
    ],
    ['for another host', valid, authority, 'other.example.test', 'is not valid for this host name'],
    ['that has expired', expired, authority, 'hooks.example.test', 'has expired'],
  ])('with a certificate %s receives nothing', async (_which, tls, ca, host, error) => {
    const { secure, url } = await aTlsReceiver(tls);
    const named = url.replace('hooks.example.test', host);
    const outcome = await send(named, aSender({ guard, ...(ca && { ca }) }));
    expect(outcome).toMatchObject({ statusCode: null, error: `TLS: the certificate ${error}` });
    expect(secure.received).toEqual([]);
  });

  test('that speaks plain HTTP receives nothing', async () => {
    const url = `https://hooks.example.test:${receiver.port}/`;
    const outcome = await send(url, aSender({ guard, ca: authority }));
    expect(outcome).toMatchObject({
      statusCode: null,
      error: 'TLS: the receiver does not speak TLS on this port',
    });
    expect(receiver.received).toEqual([]);
  });

  test('that refuses the handshake receives nothing, and the reason discloses no internals', async () => {
    const refusing = { ...valid, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' } as const;
    const received: unknown[] = [];
    const server = createTlsServer(refusing, (socket) => socket.on('data', (data) => received.push(data)))
      .on('tlsClientError', () => {})
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => void server.close());
    const url = `https://hooks.example.test:${(server.address() as AddressInfo).port}/`;
    const outcome = await send(url, aSender({ guard, ca: authority }));
    expect(outcome).toMatchObject({ statusCode: null, error: 'TLS: the receiver refused the handshake' });
    expect(received).toEqual([]);
  });
});

describe('the guard', () => {
  test('prevents connections to private addresses, in any literal form, and to localhost', async () => {
    const sender = aSender({ guard: new EgressGuard() });
    const { port } = receiver;
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'localhost',
    ]) {
      const outcome = await send(`http://${host}:${port}/`, sender);
      expect(outcome).toMatchObject({ statusCode: null, error: 'the host has no public address' });
    }
    expect(receiver.connections).toBe(0);
  });

  test('prevents every connection to a name that resolves to private addresses, with a new lookup each time', async () => {
    let lookups = 0;
    const resolve: Resolve = async () => ((lookups += 1) % 2 ? ['127.0.0.1'] : ['::ffff:127.0.0.1', '10.0.0.1']);
    const sender = aSender({ guard: new EgressGuard({ resolve }) });
    for (let i = 0; i < 20; i += 1) await send(`http://rebind.example.com:${receiver.port}/`, sender);
    expect(lookups).toBe(20);
    expect(receiver.connections).toBe(0);
  });

  test('resolves once per connection, and connects to the address that it checked', async () => {
    const answers = ['127.0.0.1', '10.0.0.1', '127.0.0.1', '192.168.0.1'];
    let lookups = 0;
    const resolve: Resolve = async () => [answers[lookups++ % answers.length]!];
    const sender = aSender({ guard: new EgressGuard({ allowLoopback: true, resolve }) });
    receiver.respond = (_request, response) => void response.writeHead(200, { connection: 'close' }).end();
    const errors: (string | null)[] = [];
    for (let i = 0; i < 8; i += 1)
      errors.push((await send(`http://rebind.example.com:${receiver.port}/`, sender)).error);
    const refused = 'the host has no public address';
    expect(errors).toEqual([null, refused, null, refused, null, refused, null, refused]);
    expect([lookups, receiver.connections]).toEqual([8, 4]);
  });

  test('distinguishes an unknown name from a private one', async () => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
    const outcome = await send('https://nowhere.example.com/', aSender({ guard: new EgressGuard({ resolve }) }));
    expect(outcome.error).toBe('the host name cannot be resolved');
  });

  test('does not wait longer for a resolver than for a receiver', async () => {
    const guard = new EgressGuard({ resolve: () => new Promise(() => {}) });
    const outcome = await send('https://slow.example.com/', aSender({ guard }));
    expect(outcome.error).toBe('no response within 1 s');
  });
});
