import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeHttp, listen } from '@tautan/kit';
import { choosePermanentPort } from '../ports.js';
import { createFront } from './proxy.js';

const HOST = '127.0.0.1';
const servers: Server[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => closeHttp(server, 0)))));

async function serve(server: Server, port = 0): Promise<number> {
  servers.push(server);
  return listen(server, port, HOST);
}

/** Returns a port on which nothing listens. It is not ephemeral, so no outgoing connection takes it during the test. */
const unusedPort = (): Promise<number> => choosePermanentPort(HOST);

/**
 * Starts a front with one upstream that is both its gateway and its redirect process. Returns the port of the front.
 */
async function front(listener: RequestListener): Promise<number> {
  const address = { host: HOST, port: await serve(createServer(listener)) };
  return serve(createFront({ gateways: [address], redirects: [address] }));
}

/** Sends raw bytes and returns everything received until the connection closes. */
async function raw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, HOST);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

const echo: RequestListener = (incoming, answer) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const { method, url, rawHeaders } = incoming;
    answer.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString('latin1') }));
  });
};

interface Echo {
  method: string;
  url: string;
  rawHeaders: string[];
  body: string;
}

const echoOf = (answer: string): Echo =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Echo;
const headersOf = ({ rawHeaders }: Echo): Map<string, string> =>
  new Map(rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1]!] as const] : [])));

describe('replicas', () => {
  const named =
    (name: string): RequestListener =>
    (_incoming, answer) =>
      answer.end(name);
  const ask = async (port: number, init?: RequestInit) => {
    const answer = await fetch(`http://${HOST}:${port}/`, init);
    return answer.ok ? answer.text() : String(answer.status);
  };
  const replica = async (name: string) => ({ host: HOST, port: await serve(createServer(named(name))) });

  test('are used in turn', async () => {
    const redirects = [await replica('one'), await replica('two')];
    const port = await serve(createFront({ gateways: redirects, redirects }));
    const answers = [await ask(port), await ask(port), await ask(port), await ask(port)];
    expect(answers.sort()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('that refuse connections are skipped, but a request with a body is never retried', async () => {
    const unused = await unusedPort();
    const redirects = [{ host: HOST, port: unused }, await replica('two')];
    const port = await serve(createFront({ gateways: redirects, redirects, retryForMs: 0 }));
    expect([await ask(port), await ask(port)]).toEqual(['two', 'two']);
    const posted = () => ask(port, { method: 'POST', body: 'x' });
    expect([await posted(), await posted()].sort()).toEqual(['503', 'two']);
  });
});

test('keeps idle connections open longer than clients and load balancers do', async () => {
  const answer = await fetch(`http://${HOST}:${await front(echo)}/`);
  expect(answer.headers.get('keep-alive')).toBe('timeout=75');
});

describe('a request', () => {
  test.each([
    '/%zz%00%',
    '/a/../b/./c//d',
    '/?a=b?c=%20+%2B&&=',
    '/a|b^c`{"}',
    'http://other.example:99/x?y',
    `/${'a'.repeat(8_000)}`,
  ])('is forwarded with its target byte for byte: %s', async (target) => {
    const port = await front(echo);
    const answer = await raw(
      port,
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    expect(echoOf(answer).url).toBe(target);
  });

  test('is forwarded with only those forwarding headers that the front sets', async () => {
    const port = await front(echo);
    const answer = await raw(
      port,
      'GET /x HTTP/1.1\r\nHost: short.example\r\nX-Forwarded-For: 6.6.6.6\r\nForwarded: for=6.6.6.6\r\n' +
        'X-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\nX-Real-IP: 6.6.6.6\r\nCF-IPCountry: evil\r\n' +
        'CloudFront-Viewer-Country: evil\r\nConnection: close\r\n\r\n',
    );
    expect(answer).not.toMatch(/6\.6\.6\.6|evil/);
    const headers = headersOf(echoOf(answer));
    expect(headers.get('x-forwarded-for')).toBe(HOST);
    expect(headers.get('x-forwarded-proto')).toBe('http');
    expect(headers.get('x-forwarded-host')).toBe('short.example');
    expect(headers.get('host')).toBe('short.example');
  });

  test('is forwarded without hop-by-hop headers', async () => {
    const port = await front(echo);
    const answer = await raw(
      port,
      'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close, X-Mine, Host, Authorization\r\nX-Mine: 1\r\nTE: trailers\r\n' +
        'Keep-Alive: timeout=9\r\nUpgrade: websocket\r\nAuthorization: Bearer a\r\nX-Other: 2\r\nX-Other: 3\r\n\r\n',
    );
    const sent = echoOf(answer);
    const headers = headersOf(sent);
    for (const gone of ['x-mine', 'te', 'keep-alive', 'upgrade']) expect(headers.has(gone)).toBe(false);
    expect(headers.get('authorization')).toBe('Bearer a');
    expect(headers.get('host')).toBe('h');
    expect(sent.rawHeaders.filter((name) => name === 'X-Other')).toHaveLength(2);
  });

  test('is forwarded with its body, sized or chunked; a POST without a body gets Content-Length: 0', async () => {
    const port = await front(echo);
    const sized = await raw(port, 'POST /api HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc');
    expect(echoOf(sized).body).toBe('abc');
    const chunked = await raw(
      port,
      'POST /api HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
    );
    expect(echoOf(chunked).body).toBe('abc');
    const none = echoOf(await raw(port, 'POST /api HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'));
    expect([none.body, headersOf(none).get('content-length')]).toEqual(['', '0']);
  });

  test('that is not valid HTTP is rejected with 400, and CONNECT with 405', async () => {
    const port = await front(echo);
    expect(await raw(port, 'GET /a b\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await raw(port, 'GET /api HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*VALIDATION_ERROR/);
    expect(await raw(port, 'GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await raw(port, Buffer.from('GET /caf\xe9 HTTP/1.1\r\nHost: h\r\n\r\n', 'latin1'))).toMatch(
      /^HTTP\/1\.1 400/,
    );
    expect(await raw(port, 'CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n')).toMatch(/^HTTP\/1\.1 405/);
  });

  test('with the method CONNECT does not stop the front if its connection is reset', async () => {
    const address = { host: HOST, port: await serve(createServer(echo)) };
    const server = createFront({ gateways: [address], redirects: [address] });
    const port = await serve(server);
    const socket = connect(port, HOST);
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n');
    const [, accepted] = (await once(server, 'connect')) as [IncomingMessage, Socket];
    accepted.destroy(new Error('read ECONNRESET'));
    await new Promise((resolve) => accepted.once('close', resolve));
    expect(await raw(port, 'GET /api HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('a request that is not received in time', () => {
  const slow = async (): Promise<number> => {
    const address = { host: HOST, port: await serve(createServer(echo)) };
    return serve(createFront({ gateways: [address], redirects: [address], arrivalMs: { head: 100, whole: 300 } }));
  };

  test.each([
    ['head', 'GET /api/v1/tags HTTP/1.1\r\nHost: h\r\nX-Slow: '],
    ['body', 'POST /api/v1/tags HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc'],
  ])('returns 408 in the envelope and closes the connection: slow %s', async (_part, bytes) => {
    const answer = await raw(await slow(), bytes);
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 408');
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ data: null, error: { code: 'TIMEOUT' } });
  });
});

describe('a request that the front cannot forward', () => {
  test.each([
    [
      'headers of 20 KiB',
      `GET /api/v1/tags HTTP/1.1\r\nHost: h\r\nX-Long: ${'x'.repeat(20_480)}\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a URL of 20 KiB',
      `GET /api/v1/links?q=${'x'.repeat(20_480)} HTTP/1.1\r\nHost: h\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    ['not HTTP', 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ])('returns an error in the envelope: %s', async (_name, bytes, status, code) => {
    const answer = await raw(await front(echo), bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ data: null, error: { code } });
  });
});

describe('a response', () => {
  test('is unchanged except for hop-by-hop headers', async () => {
    const port = await front((_incoming, answer) => {
      answer.sendDate = false;
      answer.writeHead(302, 'Over There', [
        'Location',
        'https://x.example/\xe9',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
      ]);
      answer.end();
    });
    const answer = await raw(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 302 Over There\r\n/);
    expect(answer).toContain('Location: https://x.example/\xe9\r\n');
    expect(answer.match(/Set-Cookie/g)).toHaveLength(2);
    expect(answer).not.toMatch(/Keep-Alive:|Date:/);
  });

  test('with a destination of 40 KiB is forwarded', async () => {
    const location = `https://x.example/?q=${'%22'.repeat(13_000)}`;
    const port = await front((_incoming, answer) => answer.writeHead(302, { Location: location }).end());
    expect(await raw(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toContain(location);
  });

  test('to HEAD has no body and keeps its Content-Length', async () => {
    const port = await front((_incoming, answer) => answer.writeHead(200, { 'Content-Length': 5 }).end());
    const answer = await raw(port, 'HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('Content-Length: 5');
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  test('is streamed: head and first chunk arrive before the rest is sent', async () => {
    let finish = (): void => {};
    const port = await front((_incoming, answer) => {
      answer.write('first,');
      finish = () => answer.end('last');
    });
    const response = await fetch(`http://${HOST}:${port}/api/export`);
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first,');
    finish();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('last');
  });

  test('that the upstream aborts is aborted for the client as well', async () => {
    const port = await front((_incoming, answer) => {
      answer.writeHead(200, { 'Content-Length': 100 });
      answer.write('half', () => answer.destroy());
    });
    const response = await fetch(`http://${HOST}:${port}/api/export`);
    await expect(response.text()).rejects.toThrow();
  });

  test('that is still pending is aborted at the upstream when the client disconnects', async () => {
    let onRequest: (incoming: IncomingMessage) => void;
    const arrived = new Promise<IncomingMessage>((resolve) => (onRequest = resolve));
    const port = await front((incoming) => onRequest(incoming));
    const canceled = request({ host: HOST, port, path: '/api/slow' }).on('error', () => {});
    canceled.end();
    const incoming = (await arrived).on('error', () => {});
    const closed = new Promise((resolve) => incoming.on('close', resolve));
    canceled.destroy();
    await closed;
  });
});

describe('while an upstream is unavailable', () => {
  const unavailable = async () => {
    const port = await unusedPort();
    const address = { host: HOST, port };
    return {
      port,
      front: await serve(createFront({ gateways: [address], redirects: [address], retryForMs: 1_000 })),
    };
  };

  test('the API returns 503 in its envelope with the given request id', async () => {
    const { front: port } = await unavailable();
    const response = await fetch(`http://${HOST}:${port}/api/v1/links`, {
      method: 'POST',
      body: 'x'.repeat(300_000),
      headers: { 'x-request-id': 'mine-1' },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('x-request-id')).toBe('mine-1');
    const envelope = (await response.json()) as Record<string, unknown>;
    expect(envelope).toMatchObject({
      data: null,
      error: { code: 'SERVICE_UNAVAILABLE' },
      meta: { requestId: 'mine-1' },
    });
  });

  test('the API returns a generated request id if the given one is invalid', async () => {
    const { front: port } = await unavailable();
    const response = await fetch(`http://${HOST}:${port}/api/v1/links`, { headers: { 'x-request-id': 'not one' } });
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });

  test("a visitor's GET waits for the upstream", async () => {
    const { port: upstream, front: port } = await unavailable();
    const visit = fetch(`http://${HOST}:${port}/hello`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await serve(
      createServer((_incoming, answer) => answer.end('here again')),
      upstream,
    );
    expect(await (await visit).text()).toBe('here again');
  });

  test("a visitor's GET returns 503 as text after the deadline", async () => {
    const { front: port } = await unavailable();
    const began = Date.now();
    const response = await fetch(`http://${HOST}:${port}/hello`);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(Date.now() - began).toBeGreaterThanOrEqual(950);
  });

  test('the front does not resend a request that the upstream has received', async () => {
    let count = 0;
    const port = await front((incoming) => {
      count += 1;
      incoming.socket.destroy();
    });
    const response = await fetch(`http://${HOST}:${port}/hello`);
    expect([response.status, count]).toEqual([503, 1]);
  });
});

describe('the timeout for upstream responses', () => {
  const timeoutsMs = { api: 300, pages: 300, redirect: 300 };
  const hanging = async () => {
    const upstream = createServer((incoming) => void incoming.resume());
    const address = { host: HOST, port: await serve(upstream) };
    return serve(createFront({ gateways: [address], redirects: [address], timeoutsMs }));
  };

  test('makes a redirect return 503', async () => {
    const response = await fetch(`http://${HOST}:${await hanging()}/hello`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test.each([
    ['GET', undefined, 'The request timed out. Try again.'],
    ['POST', 'x'.repeat(300_000), 'The request timed out. The change may still have been applied.'],
  ])('makes an API request (%s) return 504 in the envelope', async (method, body, message) => {
    const response = await fetch(`http://${HOST}:${await hanging()}/api/v1/links`, { method, ...(body && { body }) });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ data: null, error: { code: 'TIMEOUT', message } });
  });

  test('aborts neither a response in progress nor a slow upload', async () => {
    const upstream = createServer((incoming, answer) => {
      if (incoming.method === 'POST') return echo(incoming, answer);
      answer.write('first,');
      setTimeout(() => answer.end('last'), 500);
    });
    const address = { host: HOST, port: await serve(upstream) };
    const port = await serve(createFront({ gateways: [address], redirects: [address], timeoutsMs }));
    expect(await (await fetch(`http://${HOST}:${port}/api/export`)).text()).toBe('first,last');
    const upload = request({ host: HOST, port, path: '/api/import', method: 'POST' });
    upload.write('a');
    setTimeout(() => upload.end('b'), 500);
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
  });
});

test('forwards a response before the end of an upload', async () => {
  const port = await front((incoming, answer) => {
    incoming.resume();
    answer.writeHead(413).end('too large');
  });
  const upload = request({ host: HOST, port, path: '/api/import', method: 'POST' });
  upload.on('error', () => {});
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  upload.write(Buffer.alloc(256 * 1024));
  const [answer] = await answered;
  expect(answer.statusCode).toBe(413);
  upload.destroy();
});
