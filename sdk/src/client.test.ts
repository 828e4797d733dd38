import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Tautan } from './client.js';
import { TautanError } from './error.js';
import { ok, refuse, startServer, type TestServer } from './testing/server.js';

let server: TestServer;
let tautan: Tautan;

beforeAll(async () => {
  server = await startServer();
  tautan = new Tautan({ baseUrl: `${server.url}/`, credential: 'tau_live_x', workspaceId: 'ws_1' });
});
afterAll(() => server.stop());

const failureOf = (call: Promise<unknown>): Promise<TautanError> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error: unknown) => error as TautanError,
  );

test('fills path and query, sends the credential and returns data', async () => {
  server.answer(ok({ id: 'lnk_1' }));
  const link = await tautan.get('/links/{id}', { path: { id: 'a/b ?' }, query: { domain: 'go.example.com' } });
  expect(link).toEqual({ id: 'lnk_1' });
  expect(server.seen[0]).toMatchObject({
    method: 'GET',
    path: '/links/a%2Fb%20%3F?domain=go.example.com',
    headers: { authorization: 'Bearer tau_live_x', 'x-workspace-id': 'ws_1' },
  });
});

test('repeats a query parameter that has several values', async () => {
  server.answer(ok([]));
  await tautan.get('/links', { query: { tag: ['a', 'b'], limit: 2 } });
  expect(server.seen[0]!.path).toBe('/links?tag=a&tag=b&limit=2');
});

test('sends JSON with the idempotency key that the caller passes', async () => {
  server.answer(ok({}));
  await tautan.patch('/links/{id}', { path: { id: 'x' }, body: { title: null }, idempotencyKey: 'mine' });
  expect(server.seen[0]).toMatchObject({
    method: 'PATCH',
    body: '{"title":null}',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'mine' },
  });
});

test('sends files as forms', async () => {
  server.answer(ok({ logoRunRef: 'lgo_1' }));
  const body = new FormData();
  body.set('logo', new Blob(['<svg/>'], { type: 'image/svg+xml' }), 'logo.svg');
  await tautan.post('/qr-codes/upload-logo', { body });
  expect(server.seen[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(server.seen[0]!.body).toContain('<svg/>');
});

test('uses the workspace passed to the call instead of the client’s, or none for null', async () => {
  server.answer(ok([]));
  await tautan.get('/tags', { workspaceId: 'ws_2' });
  await tautan.get('/workspaces', { workspaceId: null });
  expect(server.seen.map(({ headers }) => headers['x-workspace-id'])).toEqual(['ws_2', undefined]);
});

test('fetch returns the response without reading its body', async () => {
  server.answer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('id,slug\n'));
  const response = await tautan.fetch('/links/export', { query: { format: 'csv' } });
  expect(await response.text()).toBe('id,slug\n');
});

describe('errors', () => {
  test('carry code, message, field, request id and status', async () => {
    server.answer(refuse(400, 'VALIDATION_ERROR', { field: 'url' }));
    const error = await failureOf(tautan.post('/links', { body: { url: 'x' } }));
    expect(error).toBeInstanceOf(TautanError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Refused: VALIDATION_ERROR.',
      field: 'url',
      requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e',
      status: 400,
    });
  });

  test.each([
    ['an HTML page', 200, '<html>'],
    ['JSON that is not an envelope', 200, '[]'],
    ['null', 200, 'null'],
    ["a proxy's error", 500, 'Bad gateway'],
    ['a redirect', 302, ''],
  ])('%s throws UNEXPECTED_RESPONSE', async (_, status, body) => {
    server.answer((response) => response.writeHead(status, { location: 'https://example.com/' }).end(body));
    expect(await failureOf(tautan.get('/tags'))).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status });
    expect(server.seen).toHaveLength(1);
  });

  test.each(['', '.', '..', undefined])(
    'the path parameter %j throws INVALID_ARGUMENT and sends nothing',
    async (id) => {
      server.answer(ok([]));
      const call = tautan.get('/links/{id}', { path: { id: id as string } });
      expect(await failureOf(call)).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' });
      const callWithoutId = tautan.get('/links/{id}', {} as never);
      expect(await failureOf(callWithoutId)).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' });
      expect(server.seen).toEqual([]);
    },
  );

  const unsendable = 'tau_live_“abc”';

  test.each([
    ['credential', new Tautan({ baseUrl: 'http://127.0.0.1:9', credential: unsendable }), {}],
    ['workspaceId', undefined, { workspaceId: 'a\nb' }],
    ['idempotencyKey', undefined, { idempotencyKey: unsendable }],
    ['headers', new Tautan({ baseUrl: 'http://127.0.0.1:9', headers: { 'x-note': unsendable } }), {}],
    ['headers', undefined, { headers: { 'x-note': 'a\nb' } }],
    ['timeoutMs', undefined, { timeoutMs: -1 }],
    ['timeoutMs', undefined, { timeoutMs: 100.5 }],
  ])('an invalid value of %s throws INVALID_ARGUMENT and sends nothing', async (field, client, options) => {
    server.answer(ok({}));
    const call = (client ?? tautan).post('/tags', { body: { name: 'a' }, ...options });
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(TautanError);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', field });
    expect(server.seen).toEqual([]);
  });

  test.each([
    '',
    'go.example.com',
    'ftp://go.example.com',
    'https://go.example.com/?a=b',
    'https://a:b@go.example.com',
    'https://:b@go.example.com',
  ])('the invalid baseUrl %j is rejected', (baseUrl) =>
    expect(() => new Tautan({ baseUrl })).toThrow(/baseUrl must be an http\(s\) address/),
  );
});

describe('timeouts and abort signals', () => {
  test.each([
    ['no response', () => undefined],
    ['a body that stalls', (response: ServerResponse) => void response.writeHead(200).write('{"data":')],
  ])('%s throws REQUEST_TIMED_OUT', async (_, answer) => {
    server.answer(answer);
    const error = await failureOf(tautan.get('/tags', { timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'REQUEST_TIMED_OUT', status: undefined });
    expect(server.seen).toHaveLength(1);
  });

  test('the timeout of `fetch` does not limit reading the body, but the signal can abort it', async () => {
    const slow = (response: ServerResponse) => {
      response.writeHead(200).write('half');
      setTimeout(() => response.end('half'), 300);
    };
    server.answer(slow);
    expect(await (await tautan.fetch('/tags', { timeoutMs: 100 })).text()).toBe('halfhalf');
    const controller = new AbortController();
    const response = await tautan.fetch('/tags', { timeoutMs: 100, signal: controller.signal });
    controller.abort();
    await expect(response.text()).rejects.toThrow(/abort/);
  });

  test("a call rejects with the signal's reason if aborted before, during or between its attempts", async () => {
    const reason = new Error('No longer needed.');
    server.answer(ok([]));
    expect(await failureOf(tautan.get('/tags', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.seen).toEqual([]);
    for (const answer of [() => undefined, refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '19' } })]) {
      server.answer(answer);
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 50);
      expect(await failureOf(tautan.get('/tags', { signal: controller.signal }))).toBe(reason);
      expect(server.seen).toHaveLength(1);
    }
  });
});

describe('a signal that is used for several calls', () => {
  const newSignal = () => {
    const { signal } = new AbortController();
    return { signal, listeners: () => getEventListeners(signal, 'abort').length };
  };

  test.each([
    ['succeeds', [ok([])]],
    ['is refused', [refuse(404, 'NOT_FOUND')]],
    ['is retried', [refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }), ok([])]],
    ['has no response', [(response: ServerResponse) => void response.destroy()]],
  ])('has no listener after a call that %s', async (_, answers) => {
    const { signal, listeners } = newSignal();
    const client = new Tautan({ baseUrl: server.url, retry: { initialDelayMs: 5, maxAttempts: 2 } });
    server.answer(...answers);
    await client.get('/tags', { signal }).catch(() => undefined);
    expect(server.seen).not.toEqual([]);
    expect(listeners()).toBe(0);
  });

  test('has a listener until the body of `fetch` has been read or canceled, or has failed', async () => {
    const { signal, listeners } = newSignal();
    const fetchExport = () => tautan.fetch('/links/export', { signal });
    server.answer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('id,slug\n'));
    const response = await fetchExport();
    expect(listeners()).toBe(1);
    expect([response.url, response.headers.get('content-type')]).toEqual([
      `${server.url}/api/v1/links/export`,
      'text/csv',
    ]);
    expect(await response.text()).toBe('id,slug\n');
    expect(listeners()).toBe(0);
    await (await fetchExport()).body!.cancel();
    expect(listeners()).toBe(0);
    let sending: ServerResponse;
    server.answer((response) => void (sending = response).writeHead(200).write('id'));
    const cut = await fetchExport();
    sending!.destroy();
    await expect(cut.text()).rejects.toThrow();
    expect(listeners()).toBe(0);
  });
});

describe('an expired access token', () => {
  const expired = refuse(401, 'TOKEN_EXPIRED');
  const credentialsSeen = () => server.seen.map(({ headers }) => headers.authorization);

  test('is replaced once, and the request is repeated with the same idempotency key', async () => {
    const client = new Tautan({ baseUrl: server.url, credential: (refused) => (refused === 'one' ? 'two' : 'one') });
    server.answer(expired, ok({ id: 'tag_1' }));
    await client.post('/tags', { body: { name: 'a' } });
    expect(credentialsSeen()).toEqual(['Bearer one', 'Bearer two']);
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    server.answer(expired);
    expect(await failureOf(client.get('/tags'))).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(server.seen).toHaveLength(2);
  });

  test('fails the call if the client has no other token', async () => {
    server.answer(expired);
    expect(await failureOf(tautan.get('/tags'))).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(credentialsSeen()).toEqual(['Bearer tau_live_x']);
  });
});

test('the types reject unknown paths, missing parameters and wrong bodies', () => {
  void (() => {
    // @ts-expect-error The path does not exist.
    void tautan.get('/nothing');
    // @ts-expect-error The id is missing.
    void tautan.get('/links/{id}');
    // @ts-expect-error The body is missing.
    void tautan.post('/links');
    // @ts-expect-error A number is not a name.
    void tautan.post('/tags', { body: { name: 1 } });
    // @ts-expect-error The list of workspaces is not paginated.
    void tautan.list('/workspaces');
  });
});
