import { fail, type Principal } from '@tautan/kit';
import type { QrCode } from '../domain/qr-code.js';
import { isKnown } from '../image/known-etags.js';
import { contentTypes, etagOf, formats, type Format } from '../image/renderer.js';
import { findCode } from './find-code.js';
import type { ImageDeps } from './image-deps.js';

/** What of an image is asked for. */
export interface ImageRequest {
  /** png, the default, or svg. */
  format?: string | undefined;
  /** Pixels a side, 64 to 2048; the style's without one. */
  size?: number | undefined;
  /** As If-None-Match has it. */
  knownEtag?: string | undefined;
}

/** An image; its content is empty where the caller has it. */
export interface ImageAnswer {
  contentType: string;
  etag: string;
  content: Buffer;
  filename: string;
  notModified: boolean;
}

const [SIZE_MIN, SIZE_MAX] = [64, 2_048];

/** Draws a QR code, whatever its status. Throws VALIDATION_ERROR naming `format` or `size`, NOT_FOUND, FORBIDDEN. */
export async function renderQrCode(
  deps: ImageDeps,
  { workspaceId }: Principal,
  { id, ...request }: ImageRequest & { id: string },
): Promise<ImageAnswer> {
  return imageOf(deps, await findCode(deps, workspaceId, id), request);
}

/** The image of a QR code. Throws VALIDATION_ERROR naming `format` or `size`. */
export async function imageOf(
  { renderer, logos, baseUrl }: Pick<ImageDeps, 'renderer' | 'logos' | 'baseUrl'>,
  code: QrCode,
  request: ImageRequest,
): Promise<ImageAnswer> {
  const { workspaceId, logoRunRef, styleConfig: style } = code;
  const picture = {
    text: `${baseUrl}/${code.slug}`,
    style,
    logoRunRef,
    format: checkFormat(request.format),
    size: checkSize(request.size) ?? style.size,
  };
  const etag = etagOf(picture);
  const notModified = isKnown(request.knownEtag, etag);
  return {
    contentType: contentTypes[picture.format],
    etag,
    content: notModified
      ? Buffer.alloc(0)
      : await renderer.render(picture, etag, async () =>
          logoRunRef === null ? null : logos.byId(workspaceId, logoRunRef),
        ),
    filename: `${fileNameOf(code)}.${picture.format}`,
    notModified,
  };
}

function checkFormat(format = 'png'): Format {
  const known = formats.find((each) => each === format);
  if (known) return known;
  throw fail('VALIDATION_ERROR', `format must be one of ${formats.join(', ')}.`, 'format');
}

function checkSize(size: number | undefined): number | undefined {
  if (size === undefined || (size >= SIZE_MIN && size <= SIZE_MAX)) return size;
  throw fail('VALIDATION_ERROR', `size must be a whole number from ${SIZE_MIN} to ${SIZE_MAX}.`, 'size');
}

/** What a browser may call the file: the title without what file systems give a meaning to, else the slug. */
function fileNameOf({ title, slug, _id }: QrCode): string {
  const name = (title ?? '').replaceAll(/[\\/:*?"<>|%\p{C}\s]+/gu, ' ').trim().replace(/^\.+/, '').slice(0, 100).trim(); // prettier-ignore
  return name || slug || _id;
}
