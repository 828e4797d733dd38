import type { ImageMessage } from '@tautan/proto';
import { z } from 'zod';
import { identifier, pathId, term } from './fields.js';
import { QR_CODE_ID, qrCodeParams } from './qr-schemas.js';
import { route, type OtherContent, type Reply, type Route } from './route.js';

const section = 'QR codes';
const path = '/api/v1/qr-codes';
const LOGO_ID = 'lgo_01jd3x8q4v5w6y7z8a9b0c1d2e';
const TOKEN = 'fW9mUZ3v3j0Xb1JqPp0mSg6wqk8o2y7cT4nR5uLhAeI';
/** Drawing and re-encoding take longer than looking up does. */
const TIMEOUT_MS = 10_000;

const imageQuery = z.object({
  format: z
    .enum(['png', 'svg'])
    .default('png')
    .meta({ description: 'Format of the image.', examples: ['png'] }),
  size: z
    .number()
    .int()
    .min(64)
    .max(2_048)
    .optional()
    .meta({
      description: "Pixels a side; the style's when absent. Refused where readers could not tell the modules apart.",
      examples: [600],
    }),
});

const images: OtherContent[] = [
  { type: 'image/png', description: 'PNG.', binary: true },
  { type: 'image/svg+xml', description: 'SVG 1.1, without scripts and references to elsewhere.' },
];

/** For whoever showed credentials, and the browser alone; it asks each time whether it still has the right one. */
const PRIVATE = 'private, no-cache';
/** For whoever has the address: any cache may keep it for a while. */
const PUBLIC = 'public, max-age=300';

const shown = (
  { content, contentType: type, notModified, etag, filename }: ImageMessage,
  cacheControl: string,
): Reply => ({
  shown: { content: Buffer.from(content), type, filename, etag, notModified, cacheControl },
});

const upload = route({
  id: 'uploadQrLogo',
  method: 'POST',
  path: `${path}/upload-logo`,
  section,
  summary: 'Upload a logo',
  description:
    'For `logoRunRef` of QR codes. What is kept is a PNG of at most 512 pixels a side, without metadata; of an animation its first frame. The same file again is the same logo.',
  timeoutMs: TIMEOUT_MS,
  request: {
    upload: {
      field: 'logo',
      description: 'PNG, JPEG, WebP or SVG by its content; at most 2 MiB and 4096 × 4096 pixels.',
    },
    bodyLimit: 2 * 1024 * 1024,
  },
  success: {
    status: 201,
    description: 'The logo.',
    data: z
      .object({
        logoRunRef: identifier('lgo', 'What QR codes name it by.'),
        url: z.string().meta({
          description: 'Where it is shown, with credentials.',
          examples: [`https://go.example${path}/logos/${LOGO_ID}`],
        }),
        width: z
          .number()
          .int()
          .meta({ description: 'Pixels.', examples: [512] }),
        height: z
          .number()
          .int()
          .meta({ description: 'Pixels.', examples: [512] }),
        bytes: z
          .number()
          .int()
          .meta({ description: 'Size of what is kept.', examples: [20_480] }),
      })
      .meta({ id: 'Logo', description: 'A picture in the middle of QR codes.' }),
    example: {
      logoRunRef: LOGO_ID,
      url: `https://go.example${path}/logos/${LOGO_ID}`,
      width: 512,
      height: 512,
      bytes: 20_480,
    },
  },
  errors: [],
  handle: async (_request, { clients, rpc, raw }) => ({
    data: await clients.qrImages.call('UploadLogo', { content: raw().body }, rpc()),
  }),
});

const getLogo = route({
  id: 'getQrLogo',
  method: 'GET',
  path: `${path}/logos/{ref}`,
  section,
  summary: 'Get a logo',
  request: { params: z.object({ ref: pathId('`logoRunRef` of the logo.', LOGO_ID) }) },
  success: {
    status: 200,
    description: 'The logo.',
    other: [{ ...images[0]!, description: 'The logo as it is kept.' }],
    conditional: true,
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { ref } }, { clients, rpc, raw }) => {
    const request = { logoRunRef: ref, knownEtag: raw().header('if-none-match') || undefined };
    return shown(await clients.qrImages.call('GetLogo', request, rpc()), PRIVATE);
  },
});

const download = route({
  id: 'downloadQrCode',
  method: 'GET',
  path: `${path}/{id}/download`,
  section,
  summary: 'Download a QR code',
  description:
    'The image of a QR code, whatever its status. With `token` of a download token no credentials are needed, so that the address can stand in an image tag.',
  tokenIn: 'token',
  timeoutMs: TIMEOUT_MS,
  request: {
    params: qrCodeParams,
    query: imageQuery.extend({
      token: term(256)
        .optional()
        .meta({ description: 'A download token of this QR code, instead of credentials.', examples: [TOKEN] }),
    }),
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query: { token, ...query } }, { clients, rpc, raw }) => {
    const request = { ...query, id, knownEtag: raw().header('if-none-match') || undefined };
    if (!token) return shown(await clients.qrImages.call('RenderQrCode', request, rpc()), PRIVATE);
    return shown(await clients.qrImages.call('RenderByToken', { ...request, token }, rpc()), PUBLIC);
  },
});

const preview = route({
  id: 'previewQrCode',
  method: 'GET',
  path: `${path}/preview`,
  section,
  summary: 'Preview a QR code',
  description:
    'The image that a QR code of a style has, without storing one. The rules are those of creating it, so a style that is refused there is refused here.',
  timeoutMs: TIMEOUT_MS,
  request: {
    query: imageQuery.extend({
      styleConfig: term(2_000)
        .optional()
        .meta({ description: '`styleConfig` of the QR code as JSON.', examples: ['{"foreground":"#1a2b3c"}'] }),
      logoRunRef: term(64)
        .optional()
        .meta({ description: 'A logo in the middle, as its upload named it.', examples: [LOGO_ID] }),
      id: term(64)
        .optional()
        .meta({
          description: 'QR code whose address is drawn; an example of the same length when absent.',
          examples: [QR_CODE_ID],
        }),
    }),
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ query }, { clients, rpc, raw }) => {
    const request = { ...query, knownEtag: raw().header('if-none-match') || undefined };
    return shown(await clients.qrImages.call('PreviewQrCode', request, rpc()), PRIVATE);
  },
});

const createToken = route({
  id: 'createQrDownloadToken',
  method: 'POST',
  path: `${path}/{id}/download-token`,
  section,
  summary: 'Create a download token',
  secret: true,
  description: 'A token that stands for the image of one QR code, for 24 hours unless configured otherwise.',
  request: { params: qrCodeParams },
  success: {
    status: 201,
    description: 'The token.',
    data: z.object({
      token: z.string().meta({ description: 'The token; shown this once.', examples: [TOKEN] }),
      url: z.string().meta({
        description: 'The address of the image, without credentials.',
        examples: [`https://go.example/q/${TOKEN}`],
      }),
      expiresAt: z
        .string()
        .meta({ format: 'date-time', description: 'Until when it is good.', examples: ['2030-02-01T12:00:00.000Z'] }),
    }),
    example: { token: TOKEN, url: `https://go.example/q/${TOKEN}`, expiresAt: '2030-02-01T12:00:00.000Z' },
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id } }, { clients, rpc, operation }) => ({
    data: await clients.qrImages.call('CreateDownloadToken', { id, ...operation }, rpc()),
  }),
});

const show = route({
  id: 'showQrCode',
  method: 'GET',
  path: '/q/{token}',
  section,
  summary: 'Show a QR code by a download token',
  description: 'The image that a download token stands for; `url` of the token is this address.',
  errorPage: 'visitor',
  timeoutMs: TIMEOUT_MS,
  request: {
    params: z.object({
      token: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,256}$/)
        .meta({ description: 'A download token.', examples: [TOKEN] }),
    }),
    query: imageQuery,
    ignoreUnknownQuery: true,
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async ({ params: { token }, query }, { clients, rpc, raw }) => {
    const request = { ...query, token, knownEtag: raw().header('if-none-match') || undefined };
    return shown(await clients.qrImages.call('RenderByToken', request, rpc()), PUBLIC);
  },
});

/** Before the routes of QR codes: what is literal here is no id there. */
export const qrImageRoutes: Route[] = [upload, getLogo, preview, download, createToken, show];
