import {
  DOWNLOAD_TOKEN,
  downloadTokenExample,
  downloadTokenRecord,
  LOGO_ID,
  logoExample,
  logoRecord,
  QR_CODE_ID,
  type ImageMessage,
} from '@tautan/proto';
import { z } from 'zod';
import { pathId, nonEmptyText } from './fields.js';
import { qrCodeParams } from './qr-schemas.js';
import { route, type OtherContent, type Reply, type Route } from './route.js';

const section = 'QR codes';
const path = '/api/v1/qr-codes';
/** Rendering and re-encoding take longer than other operations. */
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
      description:
        'Width and height in pixels; by default, `size` of the style. Sizes at which readers cannot distinguish the modules are rejected.',
      examples: [600],
    }),
});

const images: OtherContent[] = [
  { type: 'image/png', description: 'PNG.', binary: true },
  { type: 'image/svg+xml', description: 'SVG 1.1, without scripts or external references.' },
];

/** For authenticated requests: only the browser caches the response, and it revalidates the response each time. */
const PRIVATE = 'private, no-cache';
/** For public URLs: any cache can store the response. */
const PUBLIC = 'public, max-age=300';

const image = (
  { content, contentType: type, notModified, etag, filename }: ImageMessage,
  cacheControl: string,
): Reply => ({
  file: { content: Buffer.from(content), type, filename, etag, notModified, cacheControl },
});

const upload = route({
  id: 'uploadQrLogo',
  method: 'POST',
  path: `${path}/upload-logo`,
  section,
  summary: 'Upload a logo',
  description:
    'Uploads a logo. QR codes refer to it by `logoRunRef`. It is stored without metadata as a PNG of at most 512 × 512 pixels. Only the first frame of an animation is stored. Uploading the same file again returns the same logo.',
  timeoutMs: TIMEOUT_MS,
  request: {
    upload: {
      field: 'logo',
      description: 'PNG, JPEG, WebP or SVG file, detected by its content, of at most 2 MiB and 4096 × 4096 pixels.',
    },
    bodyLimit: 2 * 1024 * 1024,
  },
  success: {
    status: 201,
    description: 'The logo.',
    data: logoRecord,
    example: logoExample,
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
    other: [{ ...images[0]!, description: 'The stored logo.' }],
    conditional: true,
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { ref } }, { clients, rpc, raw }) => {
    const request = { logoRunRef: ref, knownEtag: raw().header('if-none-match') || undefined };
    return image(await clients.qrImages.call('GetLogo', request, rpc()), PRIVATE);
  },
});

const download = route({
  id: 'downloadQrCode',
  method: 'GET',
  path: `${path}/{id}/download`,
  section,
  summary: 'Download a QR code',
  description:
    'Returns the image of a QR code, whatever its status. With a download token as `token`, no credentials are required, so the address can be used in an `img` element.',
  tokenParameter: 'token',
  timeoutMs: TIMEOUT_MS,
  request: {
    params: qrCodeParams,
    query: imageQuery.extend({
      token: nonEmptyText(256)
        .optional()
        .meta({ description: 'Download token of this QR code, instead of credentials.', examples: [DOWNLOAD_TOKEN] }),
    }),
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query: { token, ...query } }, { clients, rpc, raw }) => {
    const request = { ...query, id, knownEtag: raw().header('if-none-match') || undefined };
    if (!token) return image(await clients.qrImages.call('RenderQrCode', request, rpc()), PRIVATE);
    return image(await clients.qrImages.call('RenderByToken', { ...request, token }, rpc()), PUBLIC);
  },
});

const preview = route({
  id: 'previewQrCode',
  method: 'GET',
  path: `${path}/preview`,
  section,
  summary: 'Preview a QR code',
  description:
    'Renders a style without creating a QR code. The rules for styles and logos are those of `POST /qr-codes`.',
  timeoutMs: TIMEOUT_MS,
  request: {
    query: imageQuery.extend({
      styleConfig: nonEmptyText(2_000)
        .optional()
        .meta({ description: '`styleConfig` as JSON.', examples: ['{"foreground":"#1a2b3c"}'] }),
      logoRunRef: nonEmptyText(64)
        .optional()
        .meta({ description: 'Reference of an uploaded logo to show in the center.', examples: [LOGO_ID] }),
      id: nonEmptyText(64)
        .optional()
        .meta({
          description:
            'QR code whose address is encoded; by default, an example address that is as long as those of new QR codes.',
          examples: [QR_CODE_ID],
        }),
    }),
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ query }, { clients, rpc, raw }) => {
    const request = { ...query, knownEtag: raw().header('if-none-match') || undefined };
    return image(await clients.qrImages.call('PreviewQrCode', request, rpc()), PRIVATE);
  },
});

const createToken = route({
  id: 'createQrDownloadToken',
  method: 'POST',
  path: `${path}/{id}/download-token`,
  section,
  summary: 'Create a download token',
  secret: true,
  description:
    'Creates a token that grants access to the image of one QR code. It expires after 24 hours unless configured otherwise.',
  request: { params: qrCodeParams },
  success: {
    status: 201,
    description: 'The token.',
    data: downloadTokenRecord,
    example: downloadTokenExample,
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
  summary: 'Show a QR code with a download token',
  description:
    'Returns the image of the QR code that a download token belongs to. The `url` of a download token is this address.',
  errorPage: 'visitor',
  timeoutMs: TIMEOUT_MS,
  request: {
    params: z.object({
      token: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,256}$/)
        .meta({ description: 'Download token.', examples: [DOWNLOAD_TOKEN] }),
    }),
    query: imageQuery,
    ignoreUnknownQuery: true,
  },
  success: { status: 200, description: 'The image.', other: images, conditional: true },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async ({ params: { token }, query }, { clients, rpc, raw }) => {
    const request = { ...query, token, knownEtag: raw().header('if-none-match') || undefined };
    return image(await clients.qrImages.call('RenderByToken', request, rpc()), PUBLIC);
  },
});

/** In the route table, these come before the routes of QR codes, so that `/preview` takes precedence over `/{id}`. */
export const qrImageRoutes: Route[] = [upload, getLogo, preview, download, createToken, show];
