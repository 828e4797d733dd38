import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import sharp from 'sharp';
import { readQr } from './testing/readers.js';
import { startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const style = (fields: object) => ({ styleConfig: JSON.stringify(fields) });
const aPng = (width = 80, height = 40, background = '#0a7') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

describe('the image of a QR code', () => {
  test('is a PNG in the size of its style, and encodes its short URL', async () => {
    const { aCode, images } = service.as();
    const code = await aCode({ title: 'Poster: März/2030' });
    const image = await images('RenderQrCode', { id: code.id });
    expect(image).toMatchObject({ contentType: 'image/png', notModified: false, filename: 'Poster März 2030.png' });
    expect(await sharp(image.content).metadata()).toMatchObject({ format: 'png', width: 600, height: 600 });
    expect(await readQr(image.content)).toEqual({ zxing: code.shortUrl, jsqr: code.shortUrl, zbar: code.shortUrl });
  });

  test.each([
    ['is not cut in the middle of a character', `${'x'.repeat(99)}😀`, 'x'.repeat(99)],
    ['does not end with a space', `${'x'.repeat(99)} y`, 'x'.repeat(99)],
    ['does not begin with a dot', '..poster.', 'poster.'],
    [
      'contains spaces instead of characters that file systems do not accept',
      'a\\b/c:d*e?f"g<h>i|j%k',
      'a b c d e f g h i j k',
    ],
    ['is the slug if the title has no usable character', '/..', undefined],
  ])('has a file name that %s', async (_, title, name) => {
    const { aCode, images } = service.as();
    const { id, slug } = await aCode({ title });
    expect((await images('RenderQrCode', { id, format: 'svg' })).filename).toBe(`${name ?? slug}.svg`);
  });

  test('can be requested as an SVG document of a given size', async () => {
    const { aCode, images } = service.as();
    const code = await aCode(
      style({ dotStyle: 'dots', markerBorder: 'circle', gradient: { colors: ['#123', '#700'] } }),
    );
    const image = await images('RenderQrCode', { id: code.id, format: 'svg', size: 240 });
    expect(image).toMatchObject({ contentType: 'image/svg+xml', filename: `${code.slug}.svg` });
    expect(image.content.toString()).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*width="240" height="240"/,
    );
    expect((await readQr(image.content)).zxing).toBe(code.shortUrl);
    for (const size of [64, 2_048]) {
      const { content } = await images('RenderQrCode', { id: code.id, format: 'svg', size });
      expect(content.toString()).toContain(`width="${size}" height="${size}"`);
    }
  });

  test.each([
    ['format', { format: 'gif' }],
    ['format', { format: 'PNG' }],
    ['size', { size: 63 }],
    ['size', { size: 2_049 }],
  ])('cannot be requested with an invalid %s: %j', async (field, request) => {
    const { aCode, images } = service.as();
    const { id } = await aCode();
    await expect(images('RenderQrCode', { id, ...request })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('can be previewed without storing anything, and the preview of a stored code equals its image', async () => {
    const { aCode, images, update, workspaceId } = service.as();
    const { qrCodes, logos, logoUploads, downloadTokens } = service.models;
    const stored = () =>
      Promise.all([
        qrCodes.find({ workspaceId }).lean(),
        logos.find({ workspaceId }).lean(),
        logoUploads.findById(workspaceId).lean(),
        downloadTokens.find({ workspaceId }).lean(),
      ]);
    const { logoRunRef } = await images('UploadLogo', { content: await aPng() });
    const before = await stored();
    const fields = { ...style({ dotStyle: 'dots', foreground: '#123456' }), logoRunRef };
    const preview = await images('PreviewQrCode', fields);
    expect(preview.filename).toBe('preview.png');
    expect((await readQr(preview.content)).zxing).toMatch(/\/preview$/);
    expect(await stored()).toEqual(before);
    const code = await aCode({ ...fields, title: 'Poster' });
    const shown = await images('PreviewQrCode', { ...fields, id: code.id });
    expect(shown).toEqual(await images('RenderQrCode', { id: code.id }));
    // Without style and logo, the preview has the default style and no logo, whatever the stored code has.
    const plain = await images('PreviewQrCode', { id: code.id });
    await update(code.id, { clear: ['styleConfig', 'logoRunRef'] });
    expect(plain).toEqual(await images('RenderQrCode', { id: code.id }));
    const stranger = service.as();
    await expect(stranger.images('PreviewQrCode', { id: code.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const [refused, field] of [
      [style({ foreground: '#fff' }), 'styleConfig.foreground'],
      [style({ size: 64, margin: 16 }), 'styleConfig.size'],
      [{ size: 64, ...style({ margin: 16 }) }, 'size'],
      [{ styleConfig: '[' }, 'styleConfig'],
    ] as const)
      await expect(images('PreviewQrCode', refused)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
    // A requested size replaces the size of the style.
    await images('PreviewQrCode', { size: 600, ...style({ size: 64, margin: 16 }) });
    await expect(stranger.images('PreviewQrCode', { logoRunRef })).rejects.toMatchObject({ field: 'logoRunRef' });
  });

  test('is available while its code is archived, but not to another workspace', async () => {
    const { aCode, images, update } = service.as();
    const code = await aCode();
    await update(code.id, { status: 'archived' });
    expect((await images('RenderQrCode', { id: code.id })).content.length).toBeGreaterThan(500);
    const stranger = service.as();
    for (const method of ['RenderQrCode', 'CreateDownloadToken'] as const) {
      await expect(stranger.images(method, { id: code.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(stranger.images(method, { id: newId('qr') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('has an ETag that changes only with its appearance', async () => {
    const { aCode, images, update } = service.as();
    const code = await aCode();
    const render = (request: object = {}) => images('RenderQrCode', { id: code.id, ...request });
    const { etag } = await render();
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    await update(code.id, { title: 'Another' });
    const image = await render();
    expect(image.etag).toBe(etag);
    for (const knownEtag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(await render({ knownEtag })).toEqual({ ...image, notModified: true, content: Buffer.alloc(0) });
    }
    for (const knownEtag of ['"x"', etag.slice(1, -1), ''])
      expect((await render({ knownEtag })).notModified).toBe(false);
    const others = await Promise.all([
      render({ size: 300 }),
      render({ format: 'svg' }),
      aCode().then(({ id }) => images('RenderQrCode', { id })),
    ]);
    await update(code.id, style({ foreground: '#123456' }));
    const etags = [etag, ...others.map((other) => other.etag), (await render()).etag];
    expect(new Set(etags).size).toBe(etags.length);
  });

  test.each([
    [{ size: 64 }, undefined],
    [{ size: 64, margin: 16 }, 'styleConfig.size'],
    [{ size: 150, margin: 16 }, undefined],
    [{ foreground: '#fff', background: '#000' }, 'styleConfig.foreground'],
    [{ dots: 'round' }, 'styleConfig.dots'],
  ])('with the style %j is rendered if the style is valid; else the code is not created', async (fields, field) => {
    const { aCode, images } = service.as();
    const created = aCode(style(fields));
    if (field !== undefined) return expect(created).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
    const { id, shortUrl } = await created;
    expect(await readQr((await images('RenderQrCode', { id })).content)).toEqual({
      zxing: shortUrl,
      jsqr: shortUrl,
      zbar: shortUrl,
    });
  });
});

describe('a logo', () => {
  test('is scaled down, and stored once if it is uploaded again', async () => {
    const { images } = service.as();
    const content = await aPng(1_024, 512);
    const logo = await images('UploadLogo', { content });
    expect(logo).toEqual({
      logoRunRef: expect.stringMatching(/^lgo_[0-9a-z]{26}$/),
      url: `https://go.example.com/api/v1/qr-codes/logos/${logo.logoRunRef}`,
      width: 512,
      height: 256,
      bytes: expect.any(Number),
    });
    const uploads = await Promise.all([1, 2, 3].map(() => images('UploadLogo', { content })));
    expect(uploads).toEqual([logo, logo, logo]);
    const shown = await images('GetLogo', { logoRunRef: logo.logoRunRef });
    const filename = `${logo.logoRunRef}.png`;
    expect(shown).toMatchObject({ contentType: 'image/png', etag: `"${logo.logoRunRef}"`, filename });
    expect(shown.content).toHaveLength(logo.bytes);
    expect(await sharp(shown.content).metadata()).toMatchObject({ format: 'png', width: 512, height: 256 });
    const knownEtag = shown.etag;
    expect(await images('GetLogo', { logoRunRef: logo.logoRunRef, knownEtag })).toEqual({
      ...shown,
      notModified: true,
      content: Buffer.alloc(0),
    });
  });

  test('that is uploaded many times concurrently is stored once, with one event', async () => {
    const { images, by, workspaceId } = service.as();
    const published: TautanEvent[] = [];
    service.bus.listen(eventSubject('qr_logo.uploaded'), (event) => void published.push(event as TautanEvent));
    const content = await aPng(33, 44);
    const uploads = await Promise.all(Array.from({ length: 4 }, () => images('UploadLogo', { content })));
    expect(new Set(uploads.map(({ logoRunRef }) => logoRunRef)).size).toBe(1);
    const { logoRunRef: id, bytes } = uploads[0]!;
    const events = () => published.filter((event) => event.workspaceId === workspaceId);
    await until(() => events().length > 0);
    expect(events()).toMatchObject([
      { actor: { id: by.id }, target: { type: 'qr_logo', id, label: id }, data: { id, width: 33, height: 44, bytes } },
    ]);
  });

  test('is rendered in the middle, and the code stays scannable', async () => {
    const { aCode, images, update } = service.as();
    const { logoRunRef } = await images('UploadLogo', { content: await aPng(90, 90, '#c01020') });
    const code = await aCode({ logoRunRef, ...style({ errorCorrection: 'L', logoScale: 0.3 }) });
    expect(JSON.parse(code.styleConfig)).toMatchObject({ errorCorrection: 'H' });
    const image = await images('RenderQrCode', { id: code.id });
    expect((await readQr(image.content)).zxing).toBe(code.shortUrl);
    const middle = sharp(image.content).extract({ left: 300, top: 300, width: 1, height: 1 }).removeAlpha().raw();
    expect([...(await middle.toBuffer())]).toEqual([0xc0, 0x10, 0x20]);
    await update(code.id, { clear: ['logoRunRef'] });
    expect((await images('RenderQrCode', { id: code.id })).etag).not.toBe(image.etag);
  });

  test('cannot be used by another workspace', async () => {
    const owner = service.as();
    const { logoRunRef } = await owner.images('UploadLogo', { content: await aPng() });
    const stranger = service.as();
    await expect(stranger.images('GetLogo', { logoRunRef })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const ref of [logoRunRef, newId('lgo'), 'x']) {
      await expect(stranger.aCode({ logoRunRef: ref })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'logoRunRef',
      });
    }
    await expect(owner.images('GetLogo', { logoRunRef: newId('lgo') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that is not an image is rejected', async () => {
    const { images } = service.as();
    const refused = { code: 'VALIDATION_ERROR', field: 'logo' };
    await expect(images('UploadLogo', { content: Buffer.from('GIF89a') })).rejects.toMatchObject(refused);
  });
});

describe('a download token', () => {
  const decode = (content: Buffer) => readQr(content).then(({ zxing }) => zxing);

  test('grants access to the image of its QR code, is stored as a hash, and is reported by an event', async () => {
    const { aCode, images, by, workspaceId } = service.as();
    const code = await aCode();
    const before = Date.now();
    const { token, url, expiresAt } = await images('CreateDownloadToken', { id: code.id });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`https://go.example.com/q/${token}`);
    expect(Math.abs(Date.parse(expiresAt) - before - 86_400_000)).toBeLessThan(60_000);
    const stored = await service.models.downloadTokens.find().lean();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(stored.map(({ _id }) => _id)).toContain(createHash('sha256').update(token).digest('hex'));
    const [, event] = await service.events(workspaceId, 2);
    expect(event).toMatchObject({
      type: 'download_token.created',
      actor: { id: by.id },
      target: { type: 'qr_code', id: code.id, label: code.slug },
      data: { qrCodeId: code.id, expiresAt },
    });
    // Other workspaces can use the token.
    const { images: strangers } = service.as();
    const image = await strangers('RenderByToken', { token });
    expect(await decode(image.content)).toBe(code.shortUrl);
    expect(image.etag).toBe((await images('RenderQrCode', { id: code.id })).etag);
    expect(
      await decode((await strangers('RenderByToken', { token, id: code.id, format: 'svg', size: 200 })).content),
    ).toBe(code.shortUrl);
  });

  test('is created once per operation: a retry replaces the token of the first attempt', async () => {
    const { aCode, images } = service.as();
    const request = { id: (await aCode()).id, operationId: newUlid() };
    const [first, again] = [await images('CreateDownloadToken', request), await images('CreateDownloadToken', request)];
    await expect(images('RenderByToken', { token: first.token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await images('RenderByToken', { token: again.token })).content.length).toBeGreaterThan(0);
    const other = await images('CreateDownloadToken', { ...request, operationId: newUlid() });
    const { id } = request;
    const unnamed = [await images('CreateDownloadToken', { id }), await images('CreateDownloadToken', { id })];
    for (const { token } of [again, other, ...unnamed]) await images('RenderByToken', { token });
    expect(await service.models.downloadTokens.countDocuments({ qrCodeId: id })).toBe(4);
  });

  test('is invalid for another QR code, after its expiry, or when its QR code is deleted', async () => {
    const { aCode, images, call } = service.as();
    const [code, other] = [await aCode(), await aCode()];
    const fresh = () => images('CreateDownloadToken', { id: code.id }).then(({ token }) => token);
    const gone = { code: 'NOT_FOUND' };
    await expect(images('RenderByToken', { token: await fresh(), id: other.id })).rejects.toMatchObject(gone);
    await expect(images('RenderByToken', { token: 'x'.repeat(43) })).rejects.toMatchObject(gone);
    const old = await fresh();
    const _id = createHash('sha256').update(old).digest('hex');
    await service.models.downloadTokens.updateOne({ _id }, { expiresAt: new Date(Date.now() - 1) });
    await expect(images('RenderByToken', { token: old })).rejects.toMatchObject(gone);
    const token = await fresh();
    await call('DeleteQrCode', { id: code.id });
    await until(() =>
      images('RenderByToken', { token }).then(
        () => false,
        (error: { code: string }) => error.code === 'NOT_FOUND',
      ),
    );
  });
});
