import { fail, truncate } from '@tautan/kit';
import type { QrCode } from '../domain/qr-code.js';
import { matchesEtag } from '../image/if-none-match.js';
import { contentTypes, etagOf, formats, type Format } from '../image/renderer.js';
import type { ImageDeps } from '../image-deps.js';

/** Options of an image request. */
export interface ImageRequest {
  /** png, the default, or svg. */
  format?: string | undefined;
  /** Pixels per side, 64 to 2048; defaults to the size of the style. */
  size?: number | undefined;
  /** The value of If-None-Match. */
  knownEtag?: string | undefined;
}

/** An image; its content is empty if the caller's version is current. */
export interface ImageResponse {
  contentType: string;
  etag: string;
  content: Buffer;
  filename: string;
  notModified: boolean;
}

const [MIN_SIZE, MAX_SIZE] = [64, 2_048];

/** Returns the image of a QR code. Throws VALIDATION_ERROR naming `format` or `size`. */
export async function renderImage(
  { renderer, logos, baseUrl }: Pick<ImageDeps, 'renderer' | 'logos' | 'baseUrl'>,
  code: Pick<QrCode, '_id' | 'workspaceId' | 'slug' | 'title' | 'styleConfig' | 'logoRunRef'>,
  request: ImageRequest,
): Promise<ImageResponse> {
  const { workspaceId, logoRunRef, styleConfig: style } = code;
  const spec = {
    text: `${baseUrl}/${code.slug}`,
    style,
    logoRunRef,
    format: checkFormat(request.format),
    size: checkSize(request.size) ?? style.size,
  };
  const etag = etagOf(spec);
  const notModified = matchesEtag(request.knownEtag, etag);
  return {
    contentType: contentTypes[spec.format],
    etag,
    content: notModified
      ? Buffer.alloc(0)
      : await renderer.render(spec, etag, async () =>
          logoRunRef === null ? null : logos.byId(workspaceId, logoRunRef),
        ),
    filename: `${fileNameOf(code)}.${spec.format}`,
    notModified,
  };
}

function checkFormat(format = 'png'): Format {
  const known = formats.find((each) => each === format);
  if (known) return known;
  throw fail('VALIDATION_ERROR', `format must be one of ${formats.join(', ')}.`, 'format');
}

function checkSize(size: number | undefined): number | undefined {
  if (size === undefined || (size >= MIN_SIZE && size <= MAX_SIZE)) return size;
  throw fail('VALIDATION_ERROR', `size must be a whole number from ${MIN_SIZE} to ${MAX_SIZE}.`, 'size');
}

/** Returns a file name: the title without the characters that file systems do not accept, or else the slug. */
function fileNameOf({ title, slug, _id }: Pick<QrCode, 'title' | 'slug' | '_id'>): string {
  const name = (title ?? '')
    .replaceAll(/[\\/:*?"<>|%\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '');
  return truncate(name, 100).trim() || slug || _id;
}
