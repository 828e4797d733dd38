import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startFixture, visit, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;
let port: number;
let admin: number;

beforeAll(async () => {
  fixture = await startFixture();
  const { ports } = await fixture.roles('redirect,stats', { TRUSTED_PROXIES: '127.0.0.0/8' });
  port = ports['http']!;
  admin = ports['admin']!;
});
afterAll(() => fixture.stop());

/** Requests a path. `options` contains the headers, and the `method` unless it is GET. */
const go = (path: string, options?: Record<string, string>) => visit(port, path, options);

describe('a redirect', () => {
  test('responds with 302, an empty body and only the specified headers', async () => {
    const route = await fixture.aRoute({ url: 'https://example.com/page?a=1#top' });
    const { status, headers, body } = await go(route._id);
    expect(status).toBe(302);
    const { date, connection, 'keep-alive': keepAlive, ...rest } = headers;
    expect(rest).toEqual({
      location: 'https://example.com/page?a=1#top',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'unsafe-url',
      'content-length': '0',
    });
    expect([date, connection, keepAlive]).toEqual([expect.any(String), 'keep-alive', expect.any(String)]);
    expect(body).toBe('');
  });

  test('finds a slug in any case, with a trailing slash, and percent-encoded', async () => {
    const { _id: path } = await fixture.aRoute({ _id: '/any-case' });
    for (const each of [path, '/ANY-case', '/any-case/', '/%61ny-case', '/any%2Dcase/?'])
      expect(await go(each)).toMatchObject({ status: 302, headers: { location: 'https://example.com/page' } });
  });

  test('merges the visitor’s query, which takes precedence', async () => {
    const { _id: path } = await fixture.aRoute({ url: 'https://example.com/?a=1&b=2#f' });
    expect((await go(`${path}?b=3&c=%zz`)).headers.location).toBe('https://example.com/?a=1&b=3&c=%25zz#f');
    expect((await go(`${path}/?a=9&a=8`)).headers.location).toBe('https://example.com/?a=9&a=8&b=2#f');
  });

  test('responds to HEAD as to GET', async () => {
    const { _id: path } = await fixture.aRoute();
    expect(await go(path, { method: 'HEAD' })).toMatchObject({
      status: 302,
      headers: { location: 'https://example.com/page' },
    });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('responds to %s with 405', async (method) => {
    expect(await go('/x', { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('works on every host of the default domain and on no other host', async () => {
    const { _id: path } = await fixture.aRoute();
    for (const host of ['go.example.com', 'GO.example.com:8080', 'localhost', '[::1]:80', '127.0.0.1'])
      expect(await go(path, { host })).toMatchObject({ status: 302 });
    for (const host of ['evil.example', '10.0.0.1', 'go.example.com.evil.example'])
      expect(await go(path, { host })).toMatchObject({ status: 404 });
    expect(await go(path, { host: 'a b' })).toMatchObject({ status: 400 });
  });

  test('checks expiry at the time of each request, even if the route is cached', async () => {
    const { _id: path } = await fixture.aRoute({ expiresAt: new Date(Date.now() + 400) });
    expect(await go(path)).toMatchObject({ status: 302 });
    await until(async () => (await go(path)).status === 410, 3_000);
  });
});

describe('pages', () => {
  test.each([
    ['unknown', 404],
    ['deleted', 404],
    ['expired', 410],
    ['archived', 410],
  ] as const)('%s links return %d, as HTML to browsers and as plain text otherwise', async (status, code) => {
    const path = status === 'unknown' ? '/unknown-slug' : (await fixture.aRoute({ status }))._id;
    const page = await go(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(page).toMatchObject({ status: code, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.body).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(page.body).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    for (const accept of ['*/*', 'application/json', 'text/html;q=0']) {
      const plain = await go(path, { accept });
      expect(plain).toMatchObject({ status: code, headers: { 'content-type': 'text/plain; charset=utf-8' } });
      expect(plain.body).not.toContain('<');
    }
    expect(await go(path, { method: 'HEAD', accept: 'text/html' })).toMatchObject({ status: code, body: '' });
  });

  test('/ returns a landing page on the default domain, and 404 on other hosts', async () => {
    expect(await go('/', { accept: 'text/html' })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(await go('/', { host: 'other.example' })).toMatchObject({ status: 404 });
  });

  test('robots.txt and favicon.ico are served', async () => {
    expect(await go('/robots.txt')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(await go('/favicon.ico')).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } });
  });
});

/**
 * Sends raw bytes and returns what was received until the server closed the connection or the headers of the first
 * response were complete.
 */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let response = '';
    socket.setTimeout(3_000, () => socket.destroy(new Error(`no response to ${JSON.stringify(bytes.slice(0, 80))}`)));
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1');
      if (/\r\n\r\n/.test(response)) socket.destroy();
    });
    socket.on('error', reject).on('close', () => resolve(response));
  });

describe('unusual and malformed requests', () => {
  const head = 'Host: localhost\r\nConnection: close\r\n\r\n';
  test.each([
    ['invalid percent-encoding', `GET /%zz%% HTTP/1.1\r\n${head}`, 404],
    ['an encoded NUL', `GET /a%00b HTTP/1.1\r\n${head}`, 404],
    ['a raw NUL', `GET /a\0b HTTP/1.1\r\n${head}`, 400],
    ['dot segments', `GET /../../etc/passwd HTTP/1.1\r\n${head}`, 404],
    ['encoded line breaks', `GET /a%0d%0aLocation:%20x HTTP/1.1\r\n${head}`, 404],
    ['bytes above ASCII', `GET /\xc3\xa9 HTTP/1.1\r\n${head}`, 400],
    ['an absolute-form target', `GET http://localhost/abc HTTP/1.1\r\n${head}`, 400],
    ['a network-path reference', `GET //evil.example/abc HTTP/1.1\r\n${head}`, 404],
    ['an asterisk', `GET * HTTP/1.1\r\n${head}`, 400],
    ['an 8 KiB path', `GET /${'a'.repeat(8_190)} HTTP/1.1\r\n${head}`, 404],
    ['a target over 8 KiB', `GET /abc?${'a'.repeat(8_192)} HTTP/1.1\r\n${head}`, 400],
    ['headers over 16 KiB', `GET /abc HTTP/1.1\r\nX: ${'a'.repeat(17_000)}\r\n${head}`, 431],
    ['no Host', 'GET /abc HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', `GET /abc HTTP/1.1\r\nHost: localhost\r\n${head}`, 400],
    ['a Host with a path', 'GET /abc HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n', 400],
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['an invalid chunk', `POST /abc HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${head}zz\r\n`, 405],
    ['two Content-Length headers', `GET /abc HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${head}`, 400],
  ])('with %s receive a response', async (_, bytes, status) => {
    const expected: unknown = expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `));
    const keptAlive = bytes.replace('Connection: close\r\n', '');
    expect([await raw(bytes), await raw(keptAlive)]).toEqual([expected, expected]);
  });

  test('cannot inject headers with a query', async () => {
    const { _id: path } = await fixture.aRoute();
    const response = await raw(`GET ${path}?a=%0d%0aSet-Cookie:x=1&"<b>'={|} HTTP/1.1\r\n${head}`);
    expect(response).toMatch(/^HTTP\/1\.1 302 /);
    expect(response).toContain(
      '\r\nLocation: https://example.com/page?a=%0d%0aSet-Cookie:x=1&%22%3Cb%3E%27=%7B%7C%7D\r\n',
    );
    expect(response).not.toMatch(/^Set-Cookie/im);
  });

  test('receive responses in order when pipelined, with and without a body', async () => {
    const routes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => fixture.aRoute({ url: `https://example.com/${name}` })),
    );
    const plain = (i: number, method = 'GET') => `${method} ${routes[i]!._id} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const withBody = (i: number) =>
      `GET ${routes[i]!._id} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello`;
    const socket = connect(port, '127.0.0.1', () => socket.write(plain(0) + withBody(1) + plain(2, 'HEAD') + plain(3)));
    let responses = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (responses += chunk));
    const order = () => [...responses.matchAll(/^Location: https:\/\/example.com\/(.)\r$/gm)].map(([, name]) => name);
    await until(() => order().length === 4, 3_000);
    socket.write(plain(1));
    await until(() => order().length === 5, 3_000);
    socket.destroy();
    expect(order()).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  test('leave the process healthy', async () => {
    expect((await fetch(`http://127.0.0.1:${admin}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    expect(metrics).toMatch(/tautan_redirects_total\{result="error",service="links"\} 0/);
    expect(metrics).toMatch(
      /tautan_redirect_duration_seconds_bucket\{source="database",le="\+Inf",service="links"\} [1-9]/,
    );
  });
});

describe('clicks', () => {
  test('are counted for GET requests by humans, but not for bots, prefetches or HEAD requests', async () => {
    const route = await fixture.aRoute();
    const before = Date.now();
    await go(route._id, { method: 'HEAD' });
    await go(route._id, { 'user-agent': 'Googlebot/2.1' });
    await go(route._id, { 'user-agent': '' });
    await go(route._id, { purpose: 'prefetch' });
    await go(route._id, { 'sec-purpose': 'prefetch;prerender' });
    for (let i = 0; i < 3; i += 1) await go(route._id);
    const link = await until(async () => {
      const found = await fixture.link(route);
      return found.clickCount >= 3 ? found : undefined;
    }, 5_000);
    expect(link.clickCount).toBe(3);
    expect(link.lastClickAt!.getTime()).toBeGreaterThanOrEqual(before);
    expect(link.updatedAt.getTime()).toBeLessThanOrEqual(before);
  });

  test('count toward maxClicks only if they are by humans, and the link ends when maxClicks is reached', async () => {
    const route = await fixture.aRoute({ maxClicks: 2 });
    for (let i = 0; i < 5; i += 1) {
      expect(await go(route._id, { method: 'HEAD' })).toMatchObject({ status: 302 });
      expect(await go(route._id, { 'user-agent': 'Googlebot/2.1' })).toMatchObject({ status: 302 });
      expect(await go(route._id, { purpose: 'prefetch' })).toMatchObject({ status: 302 });
    }
    expect([await go(route._id), await go(route._id), await go(route._id)].map(({ status }) => status)).toEqual([
      302, 302, 410,
    ]);
    expect(await fixture.models.routes.findById(route._id).lean()).toMatchObject({ remaining: 0 });
    await until(async () => (await fixture.link(route)).clickCount === 2, 5_000);
  });

  test('are redirected again after maxClicks is raised or removed', async () => {
    const route = await fixture.aRoute({ maxClicks: 1 });
    expect([(await go(route._id)).status, (await go(route._id)).status]).toEqual([302, 410]);
    await fixture.change(route, { remaining: 1, maxClicks: 2 });
    await until(async () => (await go(route._id)).status === 302, 1_000);
    expect((await go(route._id)).status).toBe(410);
    await fixture.change(route, { remaining: null, maxClicks: null });
    await until(async () => (await go(route._id)).status === 302, 1_000);
    expect((await go(route._id)).status).toBe(302);
  });
});
