import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { raw } from './testing/raw.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ CORS_ORIGINS: 'https://app.example.com,https://b.example.com' });
});
afterAll(() => gateway.stop());

const isoMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('request ids', () => {
  test('a valid id is returned in the header and meta, and passed to the services', async () => {
    const id = `a.B_9-${'x'.repeat(122)}`;
    const { headers, meta } = await gateway.request('GET', '/tags', undefined, { 'x-request-id': id });
    expect([headers.get('x-request-id'), meta.requestId]).toEqual([id, id]);
    expect(gateway.services.calls.at(-1)!.principal!.requestId).toBe(id);
  });

  test.each(['', 'a b', 'x'.repeat(129), 'ü', 'a/b'])('%j is replaced', async (given) => {
    const { headers, meta } = await gateway.request('GET', '/nothing', undefined, { 'x-request-id': given });
    expect(meta.requestId).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(headers.get('x-request-id')).toBe(meta.requestId);
  });
});

describe('the envelope', () => {
  test('of a success has data, a null error, and meta', async () => {
    const { text } = await gateway.request('GET', '/links/abc');
    const envelope = JSON.parse(text) as object;
    expect(envelope).toEqual({
      data: expect.objectContaining({ slug: 'abc' }),
      error: null,
      meta: { requestId: expect.any(String), timestamp: expect.stringMatching(isoMs) },
    });
  });

  test('of an error has null data', async () => {
    const { text, status, headers } = await gateway.request('GET', '/nothing/here');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toMatchObject({ data: null, error: { code: 'NOT_FOUND', message: expect.any(String) } });
  });

  test('of an unpaginated list has the number of entries as its limit, and no cursor', async () => {
    expect((await gateway.request('GET', '/tags')).meta.page).toEqual({ limit: 1, hasMore: false });
    const { ListTags } = gateway.services.tags;
    gateway.services.tags.ListTags = async () => ({ tags: [] });
    expect((await gateway.request('GET', '/tags')).meta.page).toEqual({ limit: 0, hasMore: false });
    gateway.services.tags.ListTags = ListTags;
  });

  test('of a paginated list has meta.page, without nextCursor on the last page', async () => {
    expect((await gateway.request('GET', '/links?limit=3')).meta.page).toEqual({ limit: 3, hasMore: false });
    const { ListLinks } = gateway.services.links;
    gateway.services.links.ListLinks = async () => ({ links: [], nextCursor: 'c2' });
    const { meta, data } = await gateway.request('GET', '/links');
    expect([meta.page, data]).toEqual([{ limit: 50, hasMore: true, nextCursor: 'c2' }, []]);
    gateway.services.links.ListLinks = ListLinks;
  });

  test('of a record has null for its unset fields', async () => {
    expect((await gateway.request('GET', '/links/abc')).data).toMatchObject({
      domain: null,
      title: null,
      description: null,
      expiresAt: null,
      maxClicks: null,
      lastClickAt: null,
      tags: [],
    });
  });
});

describe('methods', () => {
  test.each([
    ['PUT', '/links', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/links/export', 'GET, HEAD, OPTIONS'],
    ['GET', '/links/bulk', 'POST, OPTIONS'],
    ['PATCH', '/links/import', 'POST, OPTIONS'],
    ['POST', '/links/abc', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s is METHOD_NOT_ALLOWED, Allow: %s', async (method, path, allow) => {
    const { status, error, headers } = await gateway.request(method, path);
    expect([status, error!.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
  });

  test('HEAD responds like GET, without a body', async () => {
    const get = await gateway.request('GET', '/tags');
    const head = await gateway.request('HEAD', '/tags');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ]);
  });

  test('OPTIONS lists the methods of a path', async () => {
    const { status, headers, text } = await gateway.request('OPTIONS', '/tags');
    expect([status, headers.get('allow'), text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', '']);
  });

  test('bodies of GET and DELETE are ignored, and the connection stays open', async () => {
    const head = (method: string, path: string, more = '') =>
      `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.services.key}\r\n${more}`;
    const first = `${head('GET', '/tags', 'Content-Length: 7\r\n')}\r\n{"a":1}`;
    const second = `${head('DELETE', '/tags/x', 'Content-Length: 3\r\nContent-Type: text/x\r\n')}\r\nabc`;
    const third = head('GET', '/tags', 'Connection: close\r\n\r\n');
    const answers = await raw(gateway.url, first + second + third);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
  });
});

describe('CORS', () => {
  const ask = (method: string, origin: string, headers = {}) =>
    gateway.request(method, '/links', undefined, { origin, ...headers });

  test('an allowed origin can read responses and their headers', async () => {
    const { headers } = await ask('GET', 'https://b.example.com');
    expect(headers.get('access-control-allow-origin')).toBe('https://b.example.com');
    expect(headers.get('access-control-expose-headers')).toMatch(
      /X-Request-Id.*RateLimit-Remaining.*ETag, WWW-Authenticate/,
    );
    expect(headers.get('vary')).toMatch(/Origin/);
  });

  test('an allowed origin can read error responses', async () => {
    const { status, headers } = await ask('GET', 'https://app.example.com', { authorization: '' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example.com']);
  });

  test('a preflight needs no credentials', async () => {
    const { status, headers } = await ask('OPTIONS', 'https://app.example.com', {
      authorization: '',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, content-type, idempotency-key',
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toMatch(/PATCH/);
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key, If-None-Match/);
  });

  test.each(['https://evil.example', 'null', 'https://app.example.com.evil.example', 'http://app.example.com'])(
    'sends no Access-Control headers to the origin %s',
    async (origin) => {
      const { headers } = await ask('GET', origin);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('is disabled unless configured', async () => {
    const withoutCors = await startGateway();
    const { headers } = await withoutCors.request('GET', '/tags', undefined, { origin: 'https://app.example.com' });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
    await withoutCors.stop();
  });
});

test('the admin port reports readiness, and the number of requests by route, method, status and code', async () => {
  await gateway.request('GET', '/links/some-slug');
  await gateway.request('GET', '/no/such/path');
  expect((await fetch(`${gateway.adminUrl}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /tautan_http_request_duration_seconds_count\{service="gateway",route="\/api\/v1\/links\/\{id\}",method="GET",status="200",code="OK"/,
  );
  expect(metrics).toMatch(/route="unknown",method="GET",status="404",code="NOT_FOUND"/);
  expect(metrics).not.toMatch(/some-slug|no\/such/);
});
