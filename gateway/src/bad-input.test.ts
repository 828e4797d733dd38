import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { badQueryValues, badValues, fieldsOf } from './testing/bad-values.js';
import type { Answer } from './testing/client.js';
import { startProduct, type Product } from './testing/product.js';
import { raw } from './testing/raw.js';

// Whatever comes in: the right code, the field named, nothing written, never a 5xx. Against the real services.
let product: Product;
let linkId: string;
let tagId: string;
let before: string;

const state = async () => (await product.request('GET', '/links/export?format=json')).text.replace(/"meta":.*/, '');

beforeAll(async () => {
  product = await startProduct();
  const link = (await product.request('POST', '/links', { url: 'https://example.com/', slug: 'kept', tags: ['kept'] }))
    .data as { id: string };
  linkId = link.id;
  tagId = ((await product.request('GET', '/tags')).data as { id: string }[])[0]!.id;
  before = await state();
}, 30_000);
afterAll(() => product.stop());

const pathOf = ({ path }: Route) =>
  path.replace('/api/v1', '').replace('{id}', path.includes('/tags/') ? tagId : linkId);
const refusal = ({ status, error }: Answer) => [status, error?.code, error?.field];

const withBody = operations.filter(({ request }) => request.body).map((route) => [route.id, route] as const);
const withQuery = operations.filter(({ request }) => request.query).map((route) => [route.id, route] as const);
const withPath = operations.filter(({ request }) => request.params).map((route) => [route.id, route] as const);

/** A body that is right but for one field. */
const bodyWith = (route: Route, field: string, value: unknown) => ({ ...route.request.bodyExample, [field]: value });

describe.each(withBody)('the body of %s', (_id, route) => {
  const send = (body: unknown, headers?: Record<string, string>) =>
    product.request(route.method, pathOf(route), body, headers);

  test.each(fieldsOf(route.request.body))('refuses wrong values of %s, naming it', async (field, schema) => {
    await Promise.all(
      badValues(schema).map(async (value) => {
        const answer = await send(bodyWith(route, field, value));
        const shown = `${field} = ${JSON.stringify(value).slice(0, 60)}`;
        expect([shown, ...refusal(answer).slice(0, 2)]).toEqual([shown, 400, 'VALIDATION_ERROR']);
        expect(answer.error!.field!.split('.')[0]).toBe(field);
      }),
    );
  });

  test.each([
    'extra',
    '__proto__',
    'constructor',
    'prototype',
    '$where',
    '$set',
    'toString',
    '',
    'a.b',
    '\ud800',
    'id',
  ])('refuses the unknown field %j, naming it', async (field) => {
    const body = JSON.stringify(route.request.bodyExample).replace(/}$/, `,${JSON.stringify(field)}:1}`);
    expect(refusal(await send(body))).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test.each(['{', '[]', '"x"', 'null', '5', 'true', '{"a":1,}', 'undefined', '{}x', "{'url':1}", '['.repeat(100_000)])(
    'refuses %.20s',
    async (body) => expect((await send(body)).error?.code).toBe('VALIDATION_ERROR'),
  );

  test('refuses invalid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"url":"https://example.com/'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect(refusal(await send(bytes))).toEqual([400, 'VALIDATION_ERROR', undefined]);
  });

  test('refuses one byte more than its limit, with and without a declared length', async () => {
    const limit = route.request.bodyLimit ?? 1024 * 1024;
    const text = JSON.stringify(route.request.bodyExample);
    const padded = text + ' '.repeat(limit + 1 - text.length);
    expect(refusal(await send(padded))).toEqual([413, 'PAYLOAD_TOO_LARGE', undefined]);
    const head = `${route.method} /api/v1${pathOf(route)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunked = await raw(product.url, `${head}${padded.length.toString(16)}\r\n${padded}\r\n0\r\n\r\n`);
    expect(chunked).toMatch(/^HTTP\/1.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s);
  });

  test.each([
    '',
    'text/plain',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'x',
  ])('refuses the type %j', async (type) =>
    expect(refusal(await send('{}', { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined]),
  );

  test('refuses a compressed body', async () =>
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415));

  test.each(['', 'k'.repeat(256), 'ä', 'a\tb'])('refuses the Idempotency-Key %j', async (key) => {
    const answer = await send(route.request.bodyExample, { 'idempotency-key': key });
    expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR', 'Idempotency-Key']);
  });
});

describe.each(withQuery)('the query of %s', (_id, route) => {
  const get = (query: string) => product.request('GET', `${pathOf(route)}?${query}`);

  test.each(fieldsOf(route.request.query))('refuses wrong values of %s, naming it', async (name, schema) => {
    await Promise.all(
      badQueryValues(name, schema).map(async (value) => {
        const answer = await get(`${name}=${value}`);
        const shown = `${name}=${value.slice(0, 60)}`;
        expect([shown, ...refusal(answer).slice(0, 2)]).toEqual([shown, 400, 'VALIDATION_ERROR']);
        expect(answer.error!.field!.split('.')[0]).toBe(name);
      }),
    );
    if (schema.type !== 'array') {
      expect(refusal(await get(`${name}=a&${name}=a`))).toEqual([400, 'VALIDATION_ERROR', name]);
    }
  });

  test.each(['nonsense=1', 'status[$ne]=x', '__proto__=1', 'constructor=1', '%E0%A4=1', '=', '&&&', '%', 'toString'])(
    'ignores %s',
    async (query) => expect((await get(query)).status).toBe(200),
  );
});

describe.each(withPath)('the path of %s', (_id, route) => {
  test.each([
    '%00',
    '%0d%0aSet-Cookie:%20a=b',
    '%E0%A4',
    '%',
    '%zz',
    '%ED%A0%80',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '$gt',
    '__proto__',
    'constructor',
    'a'.repeat(65),
    'a'.repeat(8_000),
    'lnk_x',
    'lnk_01JD3X8Q4V5W6Y7Z8A9B0C1D2E',
    'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e',
    ';',
    '*',
    "'",
    ' ',
  ])('leads nowhere for %.40s', async (id) => {
    const target = route.path.replace('{id}', id.replaceAll(' ', '%20'));
    const head = `${route.method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n`;
    const body = route.request.body ? JSON.stringify(route.request.bodyExample) : '';
    const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const answer = await raw(product.url, `${head}${type}\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"NOT_FOUND"/s);
    expect(answer.split('\r\n\r\n')[0]).not.toMatch(/set-cookie/i);
  });
});

describe('headers', () => {
  test.each([
    ['x-request-id', 'a b'],
    ['x-request-id', '\u00ff'.repeat(200)],
    ['x-forwarded-for', 'nonsense, , 1.2.3'],
    ['traceparent', 'zz-zz-zz-zz'],
    ['accept', '*'.repeat(5_000)],
    ['origin', 'null'],
    ['user-agent', '\u0080'.repeat(5_000)],
    ['host', ''],
    ['cookie', '='.repeat(5_000)],
    ['content-length', '5'],
    ['x-workspace-id', '$ne'],
  ])('%s: %.20s harms nothing', async (name, value) => {
    const head = `GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n`;
    const answer = await raw(
      product.url,
      Buffer.from(`${head}${name}: ${value}\r\n\r\n${name === 'content-length' ? 'abcde' : ''}`, 'latin1'),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 .*"error":null/s);
  });

  test.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'ApiKey',
    'Basic YTpi',
    'x'.repeat(10_000),
    'Bearer \u00ff',
    `Bearer tau_live_${'0'.repeat(32)}`,
  ])('Authorization: %.30s is UNAUTHENTICATED', async (authorization) => {
    const answer = await product.request('GET', '/links', undefined, { authorization });
    expect(refusal(answer)).toEqual([401, 'UNAUTHENTICATED', undefined]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each([
    [
      'a head that is too long',
      `GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'an address of 1 MiB',
      `GET /api/v1/links?q=${'x'.repeat(1024 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'two lengths',
      'POST /api/v1/tags HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a line break in a header',
      'GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    ['an unknown method', 'BREW /api/v1/tags HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ])('%s is refused in the envelope', async (_name, bytes, status, code) => {
    const answer = await raw(product.url, bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ data: null, error: { code } });
  });

  test.each(['http://evil.example/api/v1/nothing', '//evil.example/api/v1/tags', '*', '/api/v1/..%2f', '/api/v1/%00'])(
    'the target %s is answered in the envelope',
    async (target) => {
      const answer = await raw(product.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"NOT_FOUND"/s);
    },
  );
});

test('no body of random values is answered with a 5xx or outside the envelope', async () => {
  const routes = withBody.map(([, route]) => route);
  const arbitrary = fc.constantFrom(...routes).chain((route) => {
    const names = fieldsOf(route.request.body).map(([name]) => name);
    return fc.tuple(fc.constant(route), fc.dictionary(fc.constantFrom(...names, 'x'), fc.jsonValue(), { maxKeys: 4 }));
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ([route, body]) => {
      if (route.id === 'importLinks') body['dryRun'] = true;
      const { status, error, meta } = await product.request(route.method, pathOf(route), { ...body, z: 1 });
      expect([status, error?.code, typeof meta.requestId]).toEqual([400, 'VALIDATION_ERROR', 'string']);
    }),
    { numRuns: 200 },
  );
}, 20_000);

// Last: it looks back at all of the above.
test('nothing of it was written', async () => {
  expect(await state()).toBe(before);
  expect((await product.request('GET', '/tags')).data).toHaveLength(1);
});
