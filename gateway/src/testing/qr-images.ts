import { fail } from '@tautan/kit';
import type { Handlers } from '@tautan/kit/rpc';
import type { QrImagesDefinition } from '@tautan/proto';
import { NOW } from './people.js';

const LOGO_ID = 'lgo_01jd3x8q4v5w6y7z8a9b0c1d2e';
export const ETAG = '"abc"';

const image = (format: string | undefined, knownEtag: string | undefined) => {
  const notModified = knownEtag === ETAG;
  return {
    contentType: format === 'svg' ? 'image/svg+xml' : 'image/png',
    etag: ETAG,
    content: Buffer.from(notModified ? '' : 'the image'),
    filename: `Größe "A".${format ?? 'png'}`,
    notModified,
  };
};

/** Fakes the RPCs of `QrImages`: images, download tokens and logos. `good` is the only valid token. */
export const qrImages = (): Handlers<QrImagesDefinition> => ({
  RenderQrCode: async (_call, { format, knownEtag }) => image(format, knownEtag),
  PreviewQrCode: async (_call, { format, knownEtag }) => image(format, knownEtag),
  CreateDownloadToken: async () => ({ token: 'good', url: 'https://go.example/q/good', expiresAt: NOW }),
  RenderByToken: async (_call, { token, format, knownEtag }) => {
    if (token !== 'good') throw fail('NOT_FOUND', 'Unknown token.');
    return image(format, knownEtag);
  },
  UploadLogo: async (_call, { content }) => ({
    logoRunRef: LOGO_ID,
    url: 'https://go.example/logo',
    width: 1,
    height: 2,
    bytes: content.length,
  }),
  GetLogo: async (_call, { knownEtag }) => image('png', knownEtag),
});

/** A form with one file, as a browser sends it. */
export function aForm(file: string | Uint8Array, { field = 'logo', boundary = 'XX' } = {}) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), Buffer.from(file), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
