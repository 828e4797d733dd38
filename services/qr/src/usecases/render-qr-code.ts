import type { Principal } from '@tautan/kit';
import { findCode } from '../steps/find-code.js';
import { renderImage, type ImageRequest, type ImageResponse } from '../steps/render-image.js';
import type { ImageDeps } from '../image-deps.js';

/**
 * Renders a QR code, whatever its status. Throws NOT_FOUND, FORBIDDEN, or VALIDATION_ERROR naming `format` or `size`.
 */
export async function renderQrCode(
  deps: ImageDeps,
  { workspaceId }: Principal,
  { id, ...request }: ImageRequest & { id: string },
): Promise<ImageResponse> {
  return renderImage(deps, await findCode(deps, workspaceId, id), request);
}
