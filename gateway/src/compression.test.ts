import { createHook } from 'node:async_hooks';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from './routes/table.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aLink } from './testing/services.js';
import { anEndpoint, ENDPOINT_ID } from './testing/webhooks.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  gateway.services.links.ListLinks = async () => ({ links: Array.from({ length: 50 }, () => aLink()) });
});
afterAll(() => gateway.stop());

interface Raw {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** Sends a request and returns the raw response, which fetch would decompress. */
const send = (
  path: string,
  encoding?: string,
  { method = 'GET', body, credential }: { method?: string; body?: object | undefined; credential?: string } = {},
) =>
  new Promise<Raw>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${credential ?? gateway.services.key}`,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const sent = request(`${gateway.url}/api/v1${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Raw['headers'],
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
const withoutMeta = (text: Buffer) => text.toString().replace(/"meta":.*/, '');

describe.each(['/links', '/openapi.json'])('a JSON response over 1 KiB (%s)', (path) => {
  test.each(['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', '*'])(
    'is compressed if Accept-Encoding is %j',
    async (encoding) => {
      const [plain, small] = [await send(path), await send(path, encoding)];
      expect(plain.bytes.length).toBeGreaterThan(1_024);
      expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(small.bytes.length) });
      expect(small.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(withoutMeta(gunzipSync(small.bytes))).toBe(withoutMeta(plain.bytes));
      expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3);
    },
  );

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0, *', 'nonsense'])(
    'is not compressed if Accept-Encoding is %j',
    async (encoding) => {
      const { status, headers, bytes } = await send(path, encoding);
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
      expect(JSON.parse(bytes.toString())).toBeDefined();
    },
  );

  test('has Vary: Accept-Encoding, compressed or not', async () => {
    for (const encoding of ['gzip', 'identity'])
      expect((await send(path, encoding)).headers['vary']).toMatch(/Accept-Encoding/);
  });
});

test('the OpenAPI document is compressed once, not per request', async () => {
  await send('/openapi.json', 'gzip');
  let compressions = 0;
  const hook = createHook({ init: (_id, type) => void (compressions += Number(type === 'ZLIB')) }).enable();
  for (const path of ['/openapi.json', '/openapi.json', '/links']) await send(path, 'gzip');
  hook.disable();
  // Only the list of links is compressed. The document was compressed for the first request.
  expect(compressions).toBe(1);
});

test('a response of up to 1 KiB is not compressed', async () => {
  const { headers, bytes } = await send('/tags', 'gzip');
  expect(bytes.length).toBeLessThanOrEqual(1_024);
  expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, 'Accept-Encoding']);
});

test('HEAD has the headers of GET', async () => {
  const [get, head] = [await send('/links', 'gzip'), await send('/links', 'gzip', { method: 'HEAD' })];
  expect(head.bytes).toHaveLength(0);
  expect(head.headers['content-encoding']).toBe('gzip');
  expect(Math.abs(Number(head.headers['content-length']) - get.bytes.length)).toBeLessThan(20);
});

test.each(['csv', 'json', 'ndjson'])('an export as %s is compressed on request', async (format) => {
  const path = `/links/export?format=${format}`;
  const [plain, small] = [await send(path), await send(path, 'gzip')];
  expect([plain.headers['content-encoding'], small.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(withoutMeta(gunzipSync(small.bytes))).toBe(withoutMeta(plain.bytes));
});

test('an image is not compressed', async () => {
  const { headers, bytes } = await send('/qr-codes/qr_01jd3x8q4v5w6y7z8a9b0c1d2e/download', 'gzip');
  expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, 'the image']);
});

test('a response with a secret is never compressed', async () => {
  const { apiKeys, qrImages, webhooks, people } = gateway.services;
  const url = `https://example.com/${'x'.repeat(1_500)}`;
  const { MintApiKey, CreateDownloadToken } = { ...apiKeys, ...qrImages };
  apiKeys.MintApiKey = async (...request) => ({ ...(await MintApiKey(...request)), label: url });
  qrImages.CreateDownloadToken = async (...request) => ({ ...(await CreateDownloadToken(...request)), url });
  webhooks.RotateSecret = async () => ({ endpoint: anEndpoint({ url }), secret: 'whsec_1' });
  const requests: Record<string, [path: string, body?: object]> = {
    createQrDownloadToken: ['/qr-codes/qr_01jd3x8q4v5w6y7z8a9b0c1d2e/download-token'],
    createWebhook: ['/webhooks', { url, events: ['link.created'] }],
    mintApiKey: ['/auth/api-keys', { label: 'CI' }],
    rotateWebhookSecret: [`/webhooks/${ENDPOINT_ID}/rotate-secret`],
  };
  const withSecret = operations.filter((route) => route.secret).map(({ id }) => id);
  expect(withSecret.sort()).toEqual(Object.keys(requests));
  for (const [id, [path, body]] of Object.entries(requests)) {
    const options = { method: 'POST', body, credential: people.owner.token };
    const { status, headers, bytes } = await send(path, 'gzip', options);
    const expected = [id, id === 'rotateWebhookSecret' ? 200 : 201, true, undefined];
    expect([id, status, bytes.length > 1_024, headers['content-encoding']]).toEqual(expected);
  }
});
