import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { apiClient, aQrCode, type Client } from '../support/client.js';
import { readQr } from '../support/qr-reader.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});
afterAll(() => stack?.stop());

interface ApiLogo {
  logoRunRef: string;
  url: string;
  width: number;
  height: number;
  bytes: number;
}

const withApiKey = () => ({ authorization: `Bearer ${stack.apiKey}` });
/** Fetches bytes, by default without credentials. */
async function fetchBytes(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
const download = (id: string, query = '', headers: Record<string, string> = withApiKey()) =>
  fetchBytes(`${stack.baseUrl}/api/v1/qr-codes/${id}/download${query}`, headers);
const errorCodeOf = (bytes: Uint8Array) =>
  (JSON.parse(Buffer.from(bytes).toString()) as { error: { code: string } }).error.code;

async function upload(file: Uint8Array | string, name = 'logo') {
  const form = new FormData();
  form.append(name, new Blob([file]), 'logo.bin');
  const answer = await fetch(`${stack.baseUrl}/api/v1/qr-codes/upload-logo`, {
    method: 'POST',
    headers: withApiKey(),
    body: form,
  });
  const { data, error } = (await answer.json()) as { data: ApiLogo; error: { code: string; field?: string } | null };
  return { status: answer.status, data, outcome: [answer.status, error?.code, error?.field] };
}
const refused = [400, 'VALIDATION_ERROR', 'logo'];
const canvas = (width = 120, height = 60) => sharp({ create: { width, height, channels: 4, background: '#0a7a5a' } });

describe('download', () => {
  test('is a PNG that encodes the short URL', async () => {
    const code = await aQrCode(api, { url: 'https://example.com/png', title: 'Spring poster' });
    const { status, headers, bytes } = await download(code.id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toBe('inline; filename="Spring poster.png"');
    expect(headers.get('cache-control')).toMatch(/private/);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 600, height: 600 });
    expect(await readQr(bytes)).toBe(code.shortUrl);
    const visit = await fetch(await readQr(bytes).then(String), { redirect: 'manual' });
    expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://example.com/png']);
  });

  test('with format=svg is an SVG that encodes the short URL', async () => {
    const code = await aQrCode(api, { url: 'https://example.com/svg' });
    const { headers, bytes } = await download(code.id, '?format=svg&size=320');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    const text = Buffer.from(bytes).toString();
    expect(text).toMatch(/^<svg [^>]*width="320" height="320"/);
    expect(text).not.toMatch(/<script|<style|href="(?!data:)/);
    expect(await readQr(bytes)).toBe(code.shortUrl);
  });

  const styles = [
    { size: 64 },
    { margin: 0, errorCorrection: 'L' },
    { margin: 16, errorCorrection: 'H', size: 2_048 },
    { dotStyle: 'rounded', markerBorder: 'circle', markerCenter: 'square', foreground: '#0a3d62' },
    { dotStyle: 'dots', markerBorder: 'square', markerCenter: 'circle', markerColor: '#b00020', background: '#fff3e0' },
    { dotStyle: 'classy', markerBorder: 'rounded', markerCenter: 'rounded', background: 'transparent' },
    { gradient: { type: 'radial', angle: 0, colors: ['#6a0dad', '#00204a'] } },
    {
      gradient: { type: 'linear', angle: 135, colors: ['#8e1550', '#0a3d62'] },
      dotStyle: 'dots',
      markerBorder: 'circle',
      markerCenter: 'circle',
    },
  ];
  test.each(styles)('in the style %j encodes the short URL', async (styleConfig) => {
    const code = await aQrCode(api, { styleConfig });
    const { bytes } = await download(code.id);
    const side = styleConfig.size ?? 600;
    expect(await sharp(bytes).metadata()).toMatchObject({ width: side, height: side });
    expect(await readQr(bytes)).toBe(code.shortUrl);
    expect(await readQr((await download(code.id, '?size=333')).bytes)).toBe(code.shortUrl);
  });

  test('returns 304 for a current ETag, until the style changes', async () => {
    const code = await aQrCode(api, {});
    const etag = String((await download(code.id)).headers.get('etag'));
    expect(etag).toMatch(/^"/);
    const again = () => download(code.id, '', { ...withApiKey(), 'if-none-match': `"other", ${etag}` });
    expect(await again()).toMatchObject({ status: 304, bytes: new Uint8Array() });
    const head = await fetch(`${stack.baseUrl}/api/v1/qr-codes/${code.id}/download`, {
      method: 'HEAD',
      headers: withApiKey(),
    });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    await api.patch(`/qr-codes/${code.id}`, { styleConfig: { foreground: '#102030' } });
    expect((await again()).status).toBe(200);
  });

  test('is available while the QR code is archived, and returns 404 after deletion', async () => {
    const code = await aQrCode(api, {});
    await api.patch(`/qr-codes/${code.id}`, { status: 'archived' });
    expect((await download(code.id)).status).toBe(200);
    await api.delete(`/qr-codes/${code.id}`);
    expect((await download(code.id)).status).toBe(404);
  });

  test.each(['format=gif', 'size=63', 'size=2049', 'size=abc'])('with %s is rejected', async (query) => {
    const code = await aQrCode(api, {});
    const { status, error } = await api.get(`/qr-codes/${code.id}/download?${query}`);
    expect([status, error?.code, error?.field]).toEqual([400, 'VALIDATION_ERROR', query.split('=')[0]]);
  });
});

describe('download token', () => {
  const tokenOf = async (id: string) => {
    const { status, data } = await api.post<{ token: string; url: string; expiresAt: string }>(
      `/qr-codes/${id}/download-token`,
      undefined,
    );
    expect(status).toBe(201);
    return data;
  };

  test('gives access to the image without credentials, at the URL of the token and at the download URL', async () => {
    const code = await aQrCode(api, {});
    const { token, url, expiresAt } = await tokenOf(code.id);
    expect(url).toBe(`${stack.baseUrl}/q/${token}`);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    const { status, headers, bytes } = await fetchBytes(url);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await readQr(bytes)).toBe(code.shortUrl);
    expect((await fetchBytes(url, { 'if-none-match': String(headers.get('etag')) })).status).toBe(304);
    expect(await readQr((await fetchBytes(`${url}?format=svg&size=256`)).bytes)).toBe(code.shortUrl);
    expect(await readQr((await download(code.id, `?token=${token}`, {})).bytes)).toBe(code.shortUrl);
  });

  test('gives access to no other QR code, nor to a deleted one; an unknown token returns 404', async () => {
    const [code, other] = [await aQrCode(api, {}), await aQrCode(api, {})];
    const { token, url } = await tokenOf(code.id);
    const expectNotFound = async (answer: ReturnType<typeof fetchBytes>) => {
      const { status, bytes } = await answer;
      expect([status, errorCodeOf(bytes)]).toEqual([404, 'NOT_FOUND']);
    };
    await expectNotFound(download(other.id, `?token=${token}`, {}));
    await expectNotFound(download(code.id, '?token=nonsense', {}));
    await expectNotFound(fetchBytes(`${stack.baseUrl}/q/nonsense`));
    await expectNotFound(fetchBytes(`${stack.baseUrl}/q/${'a'.repeat(43)}`));
    expect((await download(code.id, '', {})).status).toBe(401);
    await api.delete(`/qr-codes/${code.id}`);
    await expectNotFound(fetchBytes(url));
  });
});

describe('upload-logo', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('accepts %s and stores it as a PNG without metadata', async (format) => {
    const file = await canvas(1_000, 500)
      .toFormat(format)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toBuffer();
    const { status, data } = await upload(file);
    expect([status, data.width, data.height]).toEqual([201, 512, 256]);
    const stored = await fetchBytes(data.url, withApiKey());
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(stored.bytes).toHaveLength(data.bytes);
    expect(Buffer.from(stored.bytes).includes('secret place')).toBe(false);
    expect((await fetchBytes(data.url)).status).toBe(401);
    expect((await upload(file)).data.logoRunRef).toBe(data.logoRunRef);
  });

  test('stores logos of any shape for QR codes, which can still be scanned at every logo scale', async () => {
    const logos = await Promise.all(
      [canvas(200, 200), canvas(300, 90), canvas(60, 200)].map((image) => image.png().toBuffer()),
    );
    for (const file of logos) {
      const { data } = await upload(file);
      for (const logoScale of [0.1, 0.2, 0.3]) {
        const code = await aQrCode(api, {
          logoRunRef: data.logoRunRef,
          styleConfig: { logoScale, errorCorrection: 'L' },
        });
        expect(code.styleConfig['errorCorrection']).toBe('H');
        expect(await readQr((await download(code.id)).bytes)).toBe(code.shortUrl);
        expect(await readQr((await download(code.id, '?format=svg')).bytes)).toBe(code.shortUrl);
      }
    }
  });

  test('rasterizes SVG without running scripts or fetching anything', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(String(request.url));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20" onload="fetch('${origin}/onload')"><script>fetch('${origin}/script')</script><style>@import url(${origin}/css); rect { fill: url(${origin}/paint) }</style><rect width="40" height="20" fill="#c00"/><image href="${origin}/image" width="9" height="9"/><image xlink:href="file:///etc/passwd" width="9" height="9"/><use href="${origin}/use.svg#x"/></svg>`;
    const { status, data } = await upload(svg);
    expect([status, data.width, data.height]).toEqual([201, 512, 256]);
    const { bytes } = await fetchBytes(data.url, withApiKey());
    expect((await sharp(bytes).metadata()).format).toBe('png');
    await new Promise((resolve) => server.close(resolve));
    expect(requests).toEqual([]);
  });

  test.each([
    [
      'an entity',
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>',
    ],
    [
      'an embedded image',
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="data:image/png;base64,AAAA"/></svg>`,
    ],
    ['huge dimensions', '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"/>'],
    ['a size of zero', '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'],
    ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect>'],
  ])('rejects SVG with %s', async (_what, svg) => expect((await upload(svg)).outcome).toEqual(refused));

  test('rejects other formats, damaged or oversized images, and other form fields', async () => {
    const gif = await canvas().gif().toBuffer();
    const png = await canvas().png().toBuffer();
    const files = [
      gif,
      Buffer.from('%PDF-1.7'),
      Buffer.from('hello'),
      Buffer.alloc(0),
      png.subarray(0, 60),
      Buffer.from('<html></html>'),
    ];
    for (const file of files) expect((await upload(file)).outcome).toEqual(refused);
    expect((await upload(await canvas(4_097, 10).png().toBuffer())).outcome).toEqual(refused);
    expect((await upload(bomb(30_000))).outcome).toEqual(refused);
    expect((await upload(png, 'picture')).outcome).toEqual([400, 'VALIDATION_ERROR', 'picture']);
    expect((await upload(Buffer.alloc(2 ** 21 + 1))).outcome).toEqual([413, 'PAYLOAD_TOO_LARGE', 'logo']);
  });
});

/** Returns a PNG of about one kilobyte whose header declares a width and height of `side` pixels. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const image = chunk('IDAT', deflateSync(Buffer.alloc(1024 * 1024)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    image,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
