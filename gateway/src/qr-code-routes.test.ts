import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';
import { NOW } from './testing/people.js';
import { aQrCode, qrCodes } from './testing/qr-codes.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.qrCodes = qrCodes();
});
afterAll(() => gateway.stop());

const { id } = aQrCode();
const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  gateway.request(method, `/qr-codes${path}`, body, headers);
const received = (name: string) => requestsTo(gateway.services, name);

test('a QR code has null for absent values, and its style as an object', async () => {
  expect((await ask('GET', `/${id}`)).data).toEqual({
    id,
    title: null,
    url: 'https://example.com/',
    linkId: null,
    slug: 'k7m2x9p',
    shortUrl: 'https://go.example/k7m2x9p',
    styleConfig: { foreground: '#000000', size: 600 },
    logoRunRef: null,
    tags: [],
    status: 'active',
    expiresAt: null,
    maxScans: null,
    scanCount: 0,
    lastScanAt: null,
    createdBy: { type: 'api_key', id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e' },
    createdAt: NOW,
    updatedAt: NOW,
  });
});

test('creating a QR code passes its fields and the operation id of the Idempotency-Key to the QR service', async () => {
  const body = {
    url: 'https://example.com/',
    title: 'Poster',
    tags: ['a'],
    styleConfig: { size: 300, gradient: null },
  };
  expect((await ask('POST', '', body, { 'idempotency-key': 'k' })).status).toBe(201);
  expect(received('CreateQrCode')).toEqual([
    { ...body, styleConfig: '{"size":300,"gradient":null}', operationId: expect.any(String) },
  ]);
});

test('an update separates set fields from cleared ones', async () => {
  await ask('PATCH', `/${id}`, { title: null, tags: ['a'], maxScans: 5, styleConfig: null, status: 'archived' });
  await ask('PATCH', `/${id}`, { tags: null, styleConfig: { size: 300 } });
  expect(received('UpdateQrCode')).toMatchObject([
    { id, tags: { names: ['a'] }, maxScans: 5, status: 'archived', clear: ['title', 'styleConfig'] },
    { id, styleConfig: '{"size":300}', clear: ['tags'] },
  ]);
});

test('listing QR codes passes the filters to the QR service and is paginated by a cursor', async () => {
  gateway.services.qrCodes.ListQrCodes = async () => ({ qrCodes: [aQrCode()], nextCursor: 'next' });
  const { data, meta } = await ask('GET', '?q=poster&tag=a&tag=b&status=active&linkId=lnk_x&limit=1&cursor=here');
  expect(data).toHaveLength(1);
  expect(meta.page).toEqual({ limit: 1, hasMore: true, nextCursor: 'next' });
  expect(received('ListQrCodes')).toEqual([
    { q: 'poster', tags: ['a', 'b'], status: 'active', linkId: 'lnk_x', limit: 1, cursor: 'here' },
  ]);
});

test('statistics report scans instead of clicks', async () => {
  const { data } = await ask('GET', `/${id}/stats?from=2030-01-01&tz=Asia/Jakarta`);
  expect(received('GetQrCodeStats')).toEqual([
    { qrCodeId: id, from: '2030-01-01', tz: 'Asia/Jakarta', packedSeries: true },
  ]);
  expect(data).toMatchObject({ totals: { scans: 5 }, sources: [{ key: 'qr', scans: 5 }] });
  expect(JSON.stringify(data)).not.toContain('clicks');
});

test('deleting a QR code returns its id', async () => {
  expect((await ask('DELETE', `/${id}`)).data).toEqual({ id, deleted: true });
});
