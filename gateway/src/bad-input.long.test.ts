import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accessOf } from './access.js';
import { operations } from './routes/table.js';
import {
  pathOf,
  refusal,
  refusesBadBodies,
  refusesBadPaths,
  refusesBadQueries,
  type Target,
} from './testing/bad-input.js';
import { fieldsOf } from './testing/bad-values.js';
import { startProduct, type Product } from './testing/product.js';
import { raw } from './testing/raw.js';

// Runs against the real services. Invalid input is rejected with the right code and field, writes nothing and causes no
// 5xx.
let product: Product;
let linkId: string;
let tagId: string;
let endpointId: string;
let qrCodeId: string;
let before: string;

const state = async () => {
  const answers = ['/links/export?format=json', '/qr-codes', '/domains', '/webhooks', '/webhooks/deliveries'].map(
    (path) => product.request('GET', path),
  );
  return (await Promise.all(answers)).map(({ text }) => text.replace(/"meta":.*/, '')).join('\n');
};

beforeAll(async () => {
  product = await startProduct();
  const link = (await product.request('POST', '/links', { url: 'https://example.com/', slug: 'kept', tags: ['kept'] }))
    .data as { id: string };
  linkId = link.id;
  tagId = ((await product.request('GET', '/tags')).data as { id: string }[])[0]!.id;
  const code = await product.request('POST', '/qr-codes', { url: 'https://example.com/', title: 'kept' });
  qrCodeId = (code.data as { id: string }).id;
  const hook = await product.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] });
  endpointId = (hook.data as { id: string }).id;
  // Pause the endpoint, so that its deliveries do not change.
  await product.request('PATCH', `/webhooks/${endpointId}`, { active: false });
  before = await state();
});
afterAll(() => product.stop());

const target = (): Target => ({
  ...product,
  authorization: `Bearer ${product.key}`,
  idFor: ({ path }) => {
    const ids: Record<string, string> = { tags: tagId, webhooks: endpointId, 'qr-codes': qrCodeId };
    return ids[path.split('/')[3]!] ?? linkId;
  },
});
const apiKeyOperations = operations.filter((route) => accessOf(route).credentials.includes('api_key'));
const withBody = apiKeyOperations.filter(({ request }) => request.body);

withBody.forEach((route) => refusesBadBodies(route, target));
apiKeyOperations.filter(({ request }) => request.query).forEach((route) => refusesBadQueries(route, target));
apiKeyOperations.filter(({ request }) => request.params).forEach((route) => refusesBadPaths(route, target));

describe('the gateway', () => {
  test.each([
    ['x-request-id', 'with a space', 'a b'],
    ['x-request-id', 'of 200 characters beyond ASCII', '\u00ff'.repeat(200)],
    ['x-forwarded-for', 'without an address', 'nonsense, , 1.2.3'],
    ['traceparent', 'that is malformed', 'zz-zz-zz-zz'],
    ['accept', 'of 5,000 asterisks', '*'.repeat(5_000)],
    ['origin', 'that is null', 'null'],
    ['user-agent', 'of 5,000 control characters', '\u0080'.repeat(5_000)],
    ['host', 'that is empty', ''],
    ['cookie', 'of 5,000 equals signs', '='.repeat(5_000)],
    ['content-length', 'of a GET request with a body', '5'],
  ])('accepts the header %s %s', async (name, _description, value) => {
    const head = `GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n`;
    const answer = await raw(
      product.url,
      Buffer.from(`${head}${name}: ${value}\r\n\r\n${name === 'content-length' ? 'abcde' : ''}`, 'latin1'),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 .*"error":null/s);
  });

  test.each([
    ['without a token', 'Bearer'],
    ['with an empty token', 'Bearer '],
    ['with two tokens', 'Bearer a b'],
    ['without an API key', 'ApiKey'],
    ['with a password', 'Basic YTpi'],
    ['of 10,000 characters', 'x'.repeat(10_000)],
    ['with a token beyond ASCII', 'Bearer \u00ff'],
    ['with an unknown API key', `Bearer tau_live_${'0'.repeat(32)}`],
  ])('responds UNAUTHENTICATED to an Authorization header %s', async (_description, authorization) => {
    const answer = await product.request('GET', '/links', undefined, { authorization });
    expect(refusal(answer)).toEqual([401, 'UNAUTHENTICATED', undefined]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test.each([
    [
      'a head that is too long',
      `GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a URL of 1 MiB',
      `GET /api/v1/links?q=${'x'.repeat(1024 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'Content-Length with Transfer-Encoding',
      'POST /api/v1/tags HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    ['a NUL in a header', 'GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['an unknown method', 'BREW /api/v1/tags HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ])('responds with an error in the envelope to %s', async (_name, bytes, status, code) => {
    const answer = await raw(product.url, bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    const envelope = JSON.parse(answer.split('\r\n\r\n')[1]!) as { meta: { requestId: string } };
    expect(envelope).toMatchObject({ data: null, error: { code } });
    expect(answer).toContain(`X-Request-Id: ${envelope.meta.requestId}\r\n`);
  });

  test.each(['http://evil.example/api/v1/nothing', '//evil.example/api/v1/tags', '*', '/api/v1/..%2f', '/api/v1/%00'])(
    'responds 404 in the envelope to the target %s',
    async (target) => {
      const answer = await raw(product.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"NOT_FOUND"/s);
    },
  );
});

test('rejects random bodies that have an unknown field, with an error in the envelope', async () => {
  const arbitrary = fc.constantFrom(...withBody).chain((route) => {
    const names = fieldsOf(route.request.body).map(([name]) => name);
    return fc.tuple(fc.constant(route), fc.dictionary(fc.constantFrom(...names, 'x'), fc.jsonValue(), { maxKeys: 4 }));
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ([route, body]) => {
      if (route.id === 'importLinks') body['dryRun'] = true;
      const { status, error, meta } = await product.request(route.method, pathOf(route, target()), {
        ...body,
        unknownField: 1,
      });
      expect([status, error?.code, typeof meta.requestId]).toEqual([400, 'VALIDATION_ERROR', 'string']);
    }),
    { numRuns: 200 },
  );
});

// Must be the last test, because it checks that the tests above wrote nothing.
test('writes nothing for invalid input', async () => {
  expect(await state()).toBe(before);
  expect((await product.request('GET', '/tags')).data).toHaveLength(1);
});
