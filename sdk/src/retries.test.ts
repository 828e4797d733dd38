import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Tautan } from './client.js';
import { freePort } from '@tautan/kit/testing';
import { ok, refuse, startServer, type Answer, type TestServer } from './testing/server.js';

let server: TestServer;
let tautan: Tautan;

beforeAll(async () => {
  server = await startServer();
  tautan = new Tautan({ baseUrl: server.url, credential: 'tau_live_x', retry: { initialDelayMs: 5 } });
});
afterAll(() => server.stop());

const cut: Answer = (response) => response.destroy();
const cutBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"data":');
  setTimeout(() => response.destroy(), 20);
};
const unavailable = refuse(503, 'SERVICE_UNAVAILABLE');
const createTag = (options = {}) => tautan.post('/tags', { body: { name: 'spring' }, ...options });

describe.each([
  ['429', refuse(429, 'TOO_MANY_REQUESTS')],
  ['502', refuse(502, 'UPSTREAM_UNAVAILABLE')],
  ['503', unavailable],
  ['504', refuse(504, 'TIMEOUT')],
  ['a closed connection', cut],
  ['a truncated body', cutBody],
])('after %s', (_, failure) => {
  test('a GET is retried', async () => {
    server.answer(failure, failure, ok([]));
    expect(await tautan.get('/tags')).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });

  test('a POST is retried with the same body and idempotency key', async () => {
    server.answer(failure, ok({ id: 'tag_1' }));
    expect(await createTag()).toEqual({ id: 'tag_1' });
    const [first, second] = server.seen;
    expect(first!.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatchObject({
      body: '{"name":"spring"}',
      headers: { 'idempotency-key': first!.headers['idempotency-key'] },
    });
  });

  test('a POST without an idempotency key is not retried', async () => {
    server.answer(failure, ok({}));
    await expect(createTag({ idempotencyKey: false })).rejects.toMatchObject({ name: 'TautanError' });
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  test('a sign-in, which does not accept an idempotency key, is not retried', async () => {
    server.answer(failure, ok({}));
    const body = { email: 'mira@example.com', password: 'correct horse' };
    await expect(tautan.post('/auth/login', { body })).rejects.toMatchObject({ name: 'TautanError' });
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });
});

test('gives up after four attempts with the last error', async () => {
  server.answer(unavailable);
  await expect(tautan.get('/tags')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(server.seen).toHaveLength(4);
});

test.each([400, 401, 403, 404, 409, 500])('does not retry %d', async (status) => {
  server.answer(refuse(status, 'SOME_CODE'));
  await expect(tautan.get('/tags')).rejects.toMatchObject({ status });
  expect(server.seen).toHaveLength(1);
});

test.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 1_900).toUTCString()],
])('waits for the time in Retry-After, given as %s', async (_, value) => {
  server.answer(refuse(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': value() } }), ok([]));
  const started = performance.now();
  await tautan.get('/tags');
  // A date has whole seconds, so this one is 900 to 1,900 ms in the future.
  expect(performance.now() - started).toBeGreaterThanOrEqual(850);
});

test('fails immediately if Retry-After exceeds maxDelayMs', async () => {
  // The default of maxDelayMs is 20 s.
  server.answer(refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '21' } }));
  await expect(tautan.get('/tags')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(server.seen).toHaveLength(1);
});

test('retries IDEMPOTENCY_IN_PROGRESS after a lost response, but not on the first attempt', async () => {
  const running = refuse(409, 'IDEMPOTENCY_IN_PROGRESS');
  server.answer(cut, running, ok({ id: 'tag_1' }));
  expect(await createTag()).toEqual({ id: 'tag_1' });
  server.answer(running);
  await expect(createTag()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  expect(server.seen).toHaveLength(1);
});

test('a DELETE that gets 404 succeeds only if an earlier attempt may have deleted the resource', async () => {
  const gone = refuse(404, 'NOT_FOUND');
  server.answer(cut, gone);
  expect(await tautan.delete('/tags/{id}', { path: { id: 'tag_1' } })).toEqual({ id: 'tag_1', deleted: true });
  const limited = refuse(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': '0' } });
  for (const answers of [[gone], [limited, gone]]) {
    server.answer(...answers);
    await expect(tautan.delete('/tags/{id}', { path: { id: 'tag_1' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a DELETE whose first attempt had no response succeeds on a 404, even if the access token expired after that attempt', async () => {
  const client = new Tautan({
    baseUrl: server.url,
    credential: (refused) => (refused === undefined ? 'old' : 'new'),
    retry: { initialDelayMs: 5 },
  });
  server.answer(cut, refuse(401, 'TOKEN_EXPIRED'), refuse(404, 'NOT_FOUND'));
  expect(await client.delete('/tags/{id}', { path: { id: 'tag_1' } })).toEqual({ id: 'tag_1', deleted: true });
});

test('does not retry a refused connection', async () => {
  const unreachable = new Tautan({
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    retry: { initialDelayMs: 10_000 },
  });
  await expect(unreachable.get('/billing/plans')).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    status: undefined,
  });
  // Retries would take more than half a minute.
}, 20_000);
