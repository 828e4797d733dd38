import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';
import { aForm, ETAG } from './testing/qr-images.js';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => void gateway.services.calls.splice(0));

const ID = 'qr_01jd3x8q4v5w6y7z8a9b0c1d2e';
const noCredential = { authorization: '' };

describe('a download', () => {
  const get = (query = '', headers: Record<string, string> = {}) =>
    gateway.request('GET', `/qr-codes/${ID}/download${query}`, undefined, headers);

  test('returns the image inline', async () => {
    const { status, headers, text } = await get();
    expect([status, text]).toEqual([200, 'the image']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '9',
      'content-disposition': `inline; filename="Gr__e \\"A\\".png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22A%22.png`,
      etag: ETAG,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    });
    expect(requestsTo(gateway.services, 'RenderQrCode')).toEqual([{ id: ID, format: 'png' }]);
  });

  test('returns an SVG document of the requested size', async () => {
    expect((await get('?format=svg&size=300')).headers.get('content-type')).toBe('image/svg+xml');
    expect(requestsTo(gateway.services, 'RenderQrCode')).toEqual([{ id: ID, format: 'svg', size: 300 }]);
  });

  test.each(['format=gif', 'format=', 'size=63', 'size=2049', 'size=1e3', 'size=2.5'])('rejects %s', async (query) => {
    const { status, error } = await get(`?${query}`);
    expect([status, error]).toMatchObject([400, { code: 'VALIDATION_ERROR', field: query.split('=')[0] }]);
    expect(requestsTo(gateway.services, 'RenderQrCode')).toEqual([]);
  });

  test('responds 304 to a current ETag', async () => {
    const { status, headers, text } = await get('', { 'if-none-match': ETAG });
    expect([status, text, headers.get('etag'), headers.get('content-type')]).toEqual([304, '', ETAG, null]);
    expect(requestsTo(gateway.services, 'RenderQrCode')).toMatchObject([{ knownEtag: ETAG }]);
  });

  test('responds to HEAD like GET, without the image', async () => {
    const { status, headers, text } = await gateway.request('HEAD', `/qr-codes/${ID}/download`);
    expect([status, headers.get('etag'), headers.get('content-length'), text]).toEqual([200, ETAG, '9', '']);
  });

  test('requires credentials or a download token of this QR code', async () => {
    expect((await get('', noCredential)).error).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await get('?token=', noCredential)).error).toMatchObject({ code: 'UNAUTHENTICATED' });
    const { status, headers, text } = await get('?token=good&size=100', noCredential);
    expect([status, text, headers.get('cache-control')]).toEqual([200, 'the image', 'public, max-age=300']);
    expect(requestsTo(gateway.services, 'RenderByToken')).toEqual([
      { id: ID, token: 'good', format: 'png', size: 100 },
    ]);
    expect((await get('?token=bad', noCredential)).status).toBe(404);
    // A token takes precedence over other credentials.
    expect((await get('?token=bad')).status).toBe(404);
  });
});

test('a preview shows a style that is not stored, rejects an invalid size and requires credentials', async () => {
  const styleConfig = '{"foreground":"#1a2b3c"}';
  const query = new URLSearchParams({ styleConfig, format: 'svg' });
  const { status, text } = await gateway.request('GET', `/qr-codes/preview?${query}`);
  expect([status, text]).toEqual([200, 'the image']);
  expect(requestsTo(gateway.services, 'PreviewQrCode')).toEqual([{ styleConfig, format: 'svg' }]);
  expect((await gateway.request('GET', '/qr-codes/preview?size=63')).error).toMatchObject({ field: 'size' });
  expect((await gateway.request('GET', '/qr-codes/preview', undefined, noCredential)).status).toBe(401);
});

describe('/q/<token>', () => {
  const get = (path: string, headers = {}) => fetch(`${gateway.url}/q/${path}`, { headers });

  test('returns the image without credentials, up to the rate limit', async () => {
    const limited = await startGateway({ RATE_LIMIT_PUBLIC: '3' });
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 20)
      statuses.push((await fetch(`${limited.url}/q/good`)).status);
    await limited.stop();
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
  });

  test('returns a cacheable image, and responds 304 to a current ETag', async () => {
    const response = await get('good?format=svg&size=128');
    expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
      200,
      'the image',
      'public, max-age=300',
    ]);
    expect((await get('good', { 'if-none-match': ETAG })).status).toBe(304);
  });

  test.each([
    ['bad', 404, 'NOT_FOUND'],
    ['b%20ad', 404, 'NOT_FOUND'],
    ['good/more', 404, 'NOT_FOUND'],
  ])('%s returns %i with an error in the envelope', async (token, status, code) => {
    const response = await get(token);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
  });
});

test('/q/<token> shows a branded page in a browser if the token is not valid', async () => {
  const branded = await startGateway({ BRAND_NAME: 'Kota <1>', BRAND_COLOR: '#1D4ED8' });
  const accept = 'text/html,application/xhtml+xml,image/webp,*/*;q=0.8';
  for (const token of ['bad', 'b%20ad']) {
    const response = await fetch(`${branded.url}/q/${token}`, { headers: { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await response.text();
    expect(page).toContain('Short links by Kota &lt;1&gt;');
    expect(page).toContain('--brand:#1d4ed8');
  }
  expect((await fetch(`${branded.url}/q/good`, { headers: { accept } })).status).toBe(200);
  await branded.stop();
});

test('creating a download token returns it with its URL', async () => {
  const { status, data } = await gateway.request('POST', `/qr-codes/${ID}/download-token`);
  expect([status, data]).toEqual([
    201,
    { token: 'good', url: 'https://go.example/q/good', expiresAt: expect.any(String) },
  ]);
});

describe('logos', () => {
  const upload = (body: Uint8Array | string, headers: Record<string, string>) =>
    gateway.request('POST', '/qr-codes/upload-logo', body, headers);

  test('are uploaded as the only file of a form', async () => {
    const { body, headers } = aForm('the logo');
    const { status, data } = await upload(body, headers);
    expect([status, data]).toEqual([
      201,
      { logoRunRef: expect.stringMatching(/^lgo_/), url: 'https://go.example/logo', width: 1, height: 2, bytes: 8 },
    ]);
    expect(requestsTo(gateway.services, 'UploadLogo').map(({ content }) => String(content))).toEqual(['the logo']);
  });

  test('are uploaded only once per Idempotency-Key, regardless of the multipart boundary', async () => {
    const key = { 'idempotency-key': 'logo-1' };
    const first = aForm('the logo', { boundary: 'one' });
    const again = aForm('the logo', { boundary: 'two' });
    expect((await upload(first.body, { ...first.headers, ...key })).status).toBe(201);
    expect((await upload(again.body, { ...again.headers, ...key })).headers.get('idempotency-replayed')).toBe('true');
    const other = aForm('another');
    expect((await upload(other.body, { ...other.headers, ...key })).error).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    expect(requestsTo(gateway.services, 'UploadLogo')).toHaveLength(1);
  });

  test('can have a size of up to 2 MiB', async () => {
    const [fits, large, huge] = [2 ** 21, 2 ** 21 + 1, 2 ** 23].map((size) => aForm(Buffer.alloc(size)));
    expect((await upload(fits!.body, fits!.headers)).status).toBe(201);
    for (const { body, headers } of [large!, huge!]) {
      const { status, error } = await upload(body, headers);
      expect([status, error]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
    }
  });

  const twice = Buffer.concat([aForm('a').body.subarray(0, -'--XX--\r\n'.length), aForm('b').body]);
  const text = Buffer.from('--XX\r\nContent-Disposition: form-data; name="logo"\r\n\r\ntext\r\n--XX--\r\n');
  const nameless = Buffer.from('--XX\r\nContent-Disposition: form-data; filename="a.png"\r\n\r\nx\r\n--XX--\r\n');
  const type = { 'content-type': 'multipart/form-data; boundary=XX' };
  test.each([
    ['no body', '', type, 'logo'],
    ['no part', '--XX--\r\n', type, 'logo'],
    ['an empty file', aForm('').body, type, 'logo'],
    ['a field instead of a file', text, type, 'logo'],
    ['two files', twice, type, 'logo'],
    ['the file in another field', aForm('x', { field: 'picture' }).body, type, 'picture'],
    ['a part without a name', nameless, type, undefined],
    ['a truncated form', aForm('x').body.subarray(0, 60), type, undefined],
    ['a boundary other than the declared one', aForm('x', { boundary: 'YY' }).body, type, undefined],
  ])('are rejected in a request with %s', async (_what, body, headers, field) => {
    const { status, error } = await upload(body, headers);
    expect([status, error?.code, error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(error?.message).not.toContain('undefined');
    expect(requestsTo(gateway.services, 'UploadLogo')).toEqual([]);
  });

  test.each(['application/json', 'image/png', 'multipart/mixed; boundary=XX', 'multipart/form-data'])(
    'are rejected with the content type %s',
    async (given) => {
      const { status, error } = await upload(aForm('x').body, { 'content-type': given });
      expect([status, error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  test('are returned to requests with credentials', async () => {
    const { status, text, headers } = await gateway.request('GET', '/qr-codes/logos/lgo_01jd3x8q4v5w6y7z8a9b0c1d2e');
    expect([status, text, headers.get('content-type')]).toEqual([200, 'the image', 'image/png']);
    expect(requestsTo(gateway.services, 'GetLogo')).toEqual([{ logoRunRef: 'lgo_01jd3x8q4v5w6y7z8a9b0c1d2e' }]);
  });
});
