import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type ApiTag, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});

const isoMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const anonymous = (path: string, init: RequestInit = {}) => fetch(`${stack.baseUrl}/api/v1${path}`, init);

describe('ids and times', () => {
  test('ids consist of a prefix, an underscore and a lower-case ULID', async () => {
    const link = await aLink(api, { tags: ['ids'] });
    const { data } = await api.get<ApiTag[]>('/tags');
    expect(link.id).toMatch(/^lnk_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(data[0]!.id).toMatch(/^tag_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(link.createdBy.id).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  test('times are returned as ISO 8601 UTC with milliseconds, and accepted with any offset', async () => {
    const link = await aLink(api, { expiresAt: '2099-01-01T01:30:00+01:30' });
    expect(link.createdAt).toMatch(isoMs);
    expect(link.updatedAt).toMatch(isoMs);
    expect(link.expiresAt).toBe('2099-01-01T00:00:00.000Z');
  });
});

describe('success codes', () => {
  test('create returns 201; read, update and actions return 200; delete returns 200 with {id, deleted: true}', async () => {
    const created = await api.post('/links', { url: 'https://example.com/codes' });
    expect(created.status).toBe(201);
    expect((await api.get(`/links/${created.data.id}`)).status).toBe(200);
    expect((await api.patch(`/links/${created.data.id}`, { title: 'x' })).status).toBe(200);
    expect((await api.post('/links/bulk', { action: 'archive', ids: [created.data.id] })).status).toBe(200);
    const deleted = await api.delete(`/links/${created.data.id}`);
    expect([deleted.status, deleted.data]).toEqual([200, { id: created.data.id, deleted: true }]);
  });
});

describe('bodies', () => {
  test('a body over 1 MiB returns PAYLOAD_TOO_LARGE; an import may have up to 5 MiB', async () => {
    const over = await api.post('/links', `{"url":"https://example.com/${'a'.repeat(1024 * 1024)}"}`);
    expect([over.status, over.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const rows = Array.from({ length: 900 }, () => ({ url: `https://example.com/${'b'.repeat(1900)}` }));
    const large = await api.post('/links/import', { dryRun: true, links: rows });
    expect(large.status).toBe(200);
    const tooLarge = await api.post('/links/import', ' '.repeat(5 * 1024 * 1024 + 1));
    expect([tooLarge.status, tooLarge.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('an unknown field returns VALIDATION_ERROR naming it', async () => {
    const answer = await api.post('/links', { url: 'https://example.com', clickCount: 5 });
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'clickCount']);
    const onUpdate = await api.patch(`/links/${(await aLink(api)).id}`, { domain: 'x.example' });
    expect([onUpdate.status, onUpdate.error?.field]).toEqual([400, 'domain']);
  });

  test('null clears an optional field on update; an absent field is unchanged', async () => {
    const link = await aLink(api, {
      title: 'T',
      description: 'D',
      tags: ['nul'],
      maxClicks: 5,
      expiresAt: '2099-01-01T00:00:00Z',
    });
    const { data } = await api.patch(`/links/${link.id}`, {
      title: null,
      tags: null,
      maxClicks: null,
      expiresAt: null,
    });
    expect(data).toMatchObject({
      title: null,
      description: 'D',
      tags: [],
      maxClicks: null,
      expiresAt: null,
      url: link.url,
    });
  });

  test('an unknown query parameter returns VALIDATION_ERROR naming it', async () => {
    const answer = await api.get('/links?nonsense=1&limit=1');
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'nonsense']);
  });
});

describe('lists', () => {
  test('are sorted newest first, with meta.page; nextCursor is absent if hasMore is false', async () => {
    for (const title of ['a', 'b', 'c']) await aLink(api, { title, tags: ['newest'] });
    const first = await api.get<ApiLink[]>('/links?tag=newest&limit=2');
    expect(first.data.map(({ title }) => title)).toEqual(['c', 'b']);
    expect(first.meta.page).toEqual({ limit: 2, hasMore: true, nextCursor: expect.any(String) });
    const last = await api.get<ApiLink[]>(`/links?tag=newest&limit=2&cursor=${first.meta.page!.nextCursor}`);
    expect(last.data.map(({ title }) => title)).toEqual(['a']);
    expect(last.meta.page).toEqual({ limit: 2, hasMore: false });
  });

  test.each(['0', '201', '-1', 'ten', '1.5', ''])('limit=%s returns VALIDATION_ERROR naming limit', async (limit) => {
    const answer = await api.get(`/links?limit=${limit}`);
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'limit']);
  });

  test('the default limit is 50', async () => {
    expect((await api.get('/links')).meta.page!.limit).toBe(50);
  });

  test('a cursor is bound to its query, and a forged one is rejected', async () => {
    const { meta } = await api.get('/links?tag=newest&limit=1');
    const cursor = meta.page!.nextCursor!;
    const others = [`/links?limit=1&cursor=${cursor}`, `/links?tag=newest&order=asc&limit=1&cursor=${cursor}`];
    for (const path of [...others, '/links?cursor=nonsense', '/links?cursor=e30']) {
      const answer = await api.get(path);
      expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'cursor']);
    }
  });
});

describe('request ids', () => {
  test('X-Request-Id is accepted and echoed in header and meta', async () => {
    const answer = await api.get('/tags', { 'x-request-id': 'my.request_1-A' });
    expect([answer.headers.get('x-request-id'), answer.meta.requestId]).toEqual(['my.request_1-A', 'my.request_1-A']);
  });

  test.each(['', 'has space', 'x'.repeat(129), 'semi;colon'])(
    'an invalid X-Request-Id (%j) is replaced',
    async (given) => {
      const answer = await api.get('/tags', { 'x-request-id': given });
      expect(answer.meta.requestId).toMatch(/^req_[0-9a-z]{26}$/);
      expect(answer.headers.get('x-request-id')).toBe(answer.meta.requestId);
    },
  );
});

describe('Idempotency-Key', () => {
  const create = (key: string, body: object = { url: 'https://example.com/once' }) =>
    api.post('/links', body, { 'idempotency-key': key });

  test('the first response is replayed with Idempotency-Replayed: true', async () => {
    const first = await create('once-1');
    const second = await create('once-1');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.data).toEqual(first.data);
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test('error responses are replayed', async () => {
    const first = await create('once-2', { url: 'nonsense' });
    const second = await create('once-2', { url: 'nonsense' });
    expect([second.status, second.error]).toEqual([400, first.error]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('the same key with another body returns 422 IDEMPOTENCY_MISMATCH', async () => {
    await create('once-3');
    const answer = await create('once-3', { url: 'https://example.com/other' });
    expect([answer.status, answer.error?.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  test('exactly one of many concurrent requests runs; the others return replays or 409 IDEMPOTENCY_IN_PROGRESS', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create('once-4', { url: 'https://example.com/many', slug: 'once-4' })),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ data }) => data.id)).size).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.error?.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
  });

  test('applies to PATCH', async () => {
    const { id } = await aLink(api);
    const first = await api.patch(`/links/${id}`, { title: 'once' }, { 'idempotency-key': 'once-5' });
    await api.patch(`/links/${id}`, { title: 'twice' });
    const again = await api.patch(`/links/${id}`, { title: 'once' }, { 'idempotency-key': 'once-5' });
    expect(again.data).toEqual(first.data);
    expect((await api.get<ApiLink>(`/links/${id}`)).data.title).toBe('twice');
  });

  test('replays responses that contain a secret', async () => {
    const body = { url: 'https://hooks.example.com/once', events: ['link.created'] };
    const headers = { 'idempotency-key': 'once-6' };
    const first = await api.post<{ id: string; secret: string }>('/webhooks', body, headers);
    const again = await api.post<{ id: string; secret: string }>(
      '/webhooks',
      { events: body.events, url: body.url },
      headers,
    );
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.data).toEqual(first.data);
    const rotate = () =>
      api.post<{ secret: string }>(`/webhooks/${first.data.id}/rotate-secret`, undefined, {
        'idempotency-key': 'once-7',
      });
    const [rotated, repeated] = [await rotate(), await rotate()];
    expect([rotated.status, repeated.data.secret]).toEqual([200, rotated.data.secret]);
    expect(rotated.data.secret).not.toBe(first.data.secret);
  });

  test('a key over 255 characters is rejected', async () => {
    const answer = await create('k'.repeat(256));
    expect([answer.status, answer.error?.field]).toEqual([400, 'Idempotency-Key']);
  });
});

test('JSON over 1 KiB is compressed on request', async () => {
  const plain = await anonymous('/openapi.json', { headers: { 'accept-encoding': 'identity' } });
  const compressed = await anonymous('/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  expect([plain, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(await compressed.json()).toEqual(await plain.json());
});

describe('the error envelope', () => {
  test('unknown paths return NOT_FOUND', async () => {
    const answer = await api.get('/nothing/here');
    expect([answer.status, answer.error?.code, answer.data]).toEqual([404, 'NOT_FOUND', null]);
    expect(answer.meta.timestamp).toMatch(isoMs);
  });

  test('a wrong method returns METHOD_NOT_ALLOWED with Allow', async () => {
    const answer = await api.request('PUT', '/links');
    expect([answer.status, answer.error?.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toMatch(/GET/);
    expect(answer.headers.get('allow')).toMatch(/POST/);
  });

  test.each(['{', '[]', '"x"', '{"url":1', ''])('a malformed body (%s) returns VALIDATION_ERROR', async (body) => {
    const answer = await api.request('POST', '/links', body, { 'content-type': 'application/json' });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a content type other than JSON returns UNSUPPORTED_MEDIA_TYPE', async () => {
    const answer = await api.request('POST', '/links', 'url=x', { 'content-type': 'text/plain' });
    expect([answer.status, answer.error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('is returned for an error of an endpoint that normally returns a file', async () => {
    const answer = await api.get('/links/export?format=xlsx');
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'format']);
  });
});

describe('credentials', () => {
  test.each([
    ['no credential', undefined],
    ['a key without a scheme', 'tau_live_x'],
    ['an unknown key', `Bearer tau_live_${'0'.repeat(32)}`],
    ['an unsupported scheme', 'Basic dXNlcjpwYXNz'],
    ['an empty token', 'Bearer '],
  ])('%s returns UNAUTHENTICATED with WWW-Authenticate: Bearer', async (_name, authorization) => {
    const response = await anonymous('/links', { headers: authorization ? { authorization } : {} });
    const { error } = (await response.json()) as { error: { code: string } };
    expect([response.status, error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('a key is accepted as Bearer and as ApiKey', async () => {
    for (const scheme of ['Bearer', 'ApiKey', 'bearer']) {
      expect((await anonymous('/links', { headers: { authorization: `${scheme} ${stack.apiKey}` } })).status).toBe(200);
    }
  });
});

describe('CORS', () => {
  test('responses and preflight responses have CORS headers for an allowed origin; responses to other origins have none', async () => {
    const allowed = await api.get('/tags', { origin: 'https://app.example.com' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    const preflight = await anonymous('/links', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/POST/);
    const other = await api.get('/tags', { origin: 'https://evil.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the documentation', () => {
  test('openapi.json is a public OpenAPI 3.1 document with the main paths of links and tags', async () => {
    const response = await anonymous('/openapi.json');
    const document = (await response.json()) as { openapi: string; paths: Record<string, object> };
    expect(response.status).toBe(200);
    expect(document.openapi).toMatch(/^3\.1/);
    const paths = ['/links', '/links/{id}', '/links/bulk', '/links/import', '/links/export', '/tags', '/tags/{id}'];
    for (const path of paths) expect(Object.keys(document.paths)).toContain(`/api/v1${path}`);
  });

  test('/docs is served', async () => {
    const response = await fetch(`${stack.baseUrl}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/text\/html/);
  });
});

test('the request id appears in the logs of the gateway and the link service', async () => {
  await api.post('/links', { url: 'https://example.com/logged' }, { 'x-request-id': 'trace-me-1' });
  const { readdir, readFile } = await import('node:fs/promises');
  await eventually(async () => {
    const folder = `${stack.dataDir}/logs`;
    const logs = await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')));
    expect(logs.filter((log) => log.includes('"trace-me-1"')).length).toBeGreaterThanOrEqual(2);
  });
});
