import { beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { aLink, apiClient, listAll, type ApiLink, type ApiTag, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// An invalid value in a body field, parameter, path or header is rejected with the right code. It changes nothing, and
// never causes a 5xx. For body fields and parameters, the error names the field.
let stack: Stack;
let api: Client;
let link: ApiLink;
let tag: ApiTag;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
  link = await aLink(api, { slug: 'steady', tags: ['steady'] });
  tag = (await api.get<ApiTag[]>('/tags')).data[0]!;
});

const hostile: Record<string, unknown> = {
  'an object': { $gt: '' },
  'an operator': { $where: 'sleep(1000)' },
  'a list': [[]],
  'a huge number': 1e308,
  'a boolean': true,
  'a NUL': 'https://example.com/\u0000',
  'control characters': 'a\u0007\u001bb',
  'a lone surrogate': 'a\ud800b',
  'an overlong string': 'x'.repeat(5_000),
};

const bodies: [string, string, Record<string, unknown>, string[]][] = [
  [
    'POST',
    '/links',
    { url: 'https://example.com/x' },
    ['url', 'slug', 'domain', 'title', 'description', 'tags', 'expiresAt', 'maxClicks'],
  ],
  [
    'PATCH',
    '/links/steady-id',
    {},
    ['url', 'slug', 'title', 'description', 'tags', 'expiresAt', 'maxClicks', 'status'],
  ],
  ['POST', '/links/bulk', { action: 'archive', ids: ['lnk_01jd0000000000000000000000'] }, ['action', 'ids', 'tag']],
  ['POST', '/links/import', { dryRun: true, links: [{ url: 'https://example.com/x' }] }, ['dryRun', 'links']],
  ['POST', '/tags', { name: 'fine' }, ['name']],
  ['PATCH', '/tags/steady-id', { name: 'fine' }, ['name']],
];

async function allLinksAndTags(): Promise<unknown> {
  return [await listAll<ApiLink>(api, '/links?limit=200'), (await api.get('/tags')).data];
}

describe.each(bodies)('%s %s', (method, path, base, fields) => {
  const target = () =>
    path.replace('/links/steady-id', `/links/${link.id}`).replace('/tags/steady-id', `/tags/${tag.id}`);

  test.each(fields)('%s rejects every hostile value, names the field and writes nothing', async (field) => {
    const before = await allLinksAndTags();
    for (const [kind, value] of Object.entries(hostile)) {
      // A boolean is valid for `dryRun`. A list is valid for `links`: its invalid row fails, but the request succeeds.
      if ((field === 'dryRun' && kind === 'a boolean') || (field === 'links' && kind === 'a list')) continue;
      const answer = await api.request(method, target(), { ...base, [field]: value });
      expect([kind, answer.status, answer.error?.code]).toEqual([kind, 400, 'VALIDATION_ERROR']);
      expect(answer.error!.field).toMatch(new RegExp(`^${field}(\\.|$)`));
    }
    expect(await allLinksAndTags()).toEqual(before);
  });

  test('unknown, operator and prototype fields are rejected, and the error names the field', async () => {
    for (const name of ['unknown', '$set', 'constructor', 'a.b', 'toString']) {
      const answer = await api.request(method, target(), { ...base, [name]: 1 });
      expect([name, answer.status, answer.error?.code, answer.error?.field]).toEqual([
        name,
        400,
        'VALIDATION_ERROR',
        name,
      ]);
    }
    const raw = `{"__proto__": {"admin": true}, ${JSON.stringify(base).slice(1)}`.replace(', }', '}');
    const answer = await api.request(method, target(), raw);
    expect([answer.status, answer.error?.field]).toEqual([400, '__proto__']);
  });

  test('a body that is null, a number, text, a list or deeply nested is rejected', async () => {
    for (const body of ['null', '5', '"text"', '[1]', '['.repeat(50_000), '{"a":'.repeat(20_000)]) {
      const answer = await api.request(method, target(), body);
      expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});

describe('required fields', () => {
  test.each([
    ['POST', '/links', 'url'],
    ['POST', '/links/bulk', 'action'],
    ['POST', '/links/import', 'links'],
    ['POST', '/tags', 'name'],
  ])('%s %s rejects a missing or null %s', async (method, path, field) => {
    for (const body of [{}, { [field]: null }]) {
      const answer = await api.request(method, path, body);
      expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
    }
  });
});

describe('query parameters', () => {
  const long = 'x'.repeat(3_000);
  test.each([
    ['q', `q=${long}`],
    ['q', 'q=%00'],
    ['q', 'q=a&q=b'],
    ['tag', `tag=${long}`],
    ['status', 'status=nope'],
    ['status', 'status=active&status=archived'],
    ['sort', 'sort=$where'],
    ['order', 'order=1'],
    ['limit', 'limit=1e2'],
    ['limit', 'limit=5&limit=6'],
    ['cursor', `cursor=${long}`],
    ['cursor', 'cursor=%ff%fe'],
  ])('an invalid %s is rejected: %s', async (field, query) => {
    const answer = await api.get(`/links?${query.slice(0, 4_000)}`);
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.error!.field).toMatch(new RegExp(`^${field}`));
  });

  test.each([
    ['q[$ne]=x', 'q[$ne]'],
    ['__proto__[admin]=1', '__proto__[admin]'],
    ['constructor=1', 'constructor'],
    ['page=2', 'page'],
    ['tag[]=x', 'tag[]'],
    ['domains=go.example', 'domains'],
  ])('the unknown parameter in %s is rejected and named', async (query, field) => {
    const answer = await api.get(`/links?${query}`);
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});

describe('paths', () => {
  test.each([
    '/links/%00',
    '/links/%zz',
    '/links/%ff',
    '/links/..%2f..',
    `/links/${'x'.repeat(4_000)}`,
    '/links/$ne',
    '/links/{"$gt":""}',
    '/tags/%E0%A4%A',
    '/tags/x',
    '/links/a/b',
    '//links',
    '/links/__proto__',
  ])('%s returns 400, 404 or 405 in the error envelope, for GET, PATCH and DELETE', async (path) => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await raw(method, `/api/v1${path}`, { title: 'x', name: 'x' });
      expect([400, 404, 405]).toContain(answer.status);
      expect((JSON.parse(answer.body) as { error: { code: string } }).error.code).toMatch(
        /^(VALIDATION_ERROR|NOT_FOUND|METHOD_NOT_ALLOWED)$/,
      );
    }
  });
});

describe('headers', () => {
  test.each([
    ['authorization', 'Bearer \u00ff\u00fe', 401],
    ['authorization', `Bearer ${'x'.repeat(8_000)}`, 401],
    ['idempotency-key', '\u00e9', 400],
    ['content-type', 'application/json; charset=utf-16', 415],
    ['content-type', 'multipart/form-data; boundary=x', 415],
    ['content-encoding', 'br', 415],
  ])('rejects %s: %s with the status %i', async (name, value, status) => {
    const answer = await raw('POST', '/api/v1/links', { url: 'https://example.com' }, { [name]: value });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ data: null, error: { code: expect.any(String) } });
  });

  test('invalid UTF-8 in a body returns 400', async () => {
    const body = Buffer.concat([
      Buffer.from('{"url":"https://example.com/","title":"'),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}'),
    ]);
    const answer = await raw('POST', '/api/v1/links', body);
    expect(answer.status).toBe(400);
  });
});

/** Sends a request exactly as given; fetch would normalize or reject some of it. */
function raw(
  method: string,
  path: string,
  body: object | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(stack.baseUrl);
  const payload = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: hostname,
        port,
        method,
        path,
        headers: {
          authorization: `Bearer ${stack.apiKey}`,
          'content-type': 'application/json',
          'content-length': payload.length,
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}
