import { fail } from '@tautan/kit';
import { tokenHash } from '../domain/download-token.js';
import type { ImageDeps } from '../image-deps.js';
import { renderImage, type ImageResponse, type ImageRequest } from '../steps/render-image.js';

/**
 * Renders the QR code of a download token. Throws NOT_FOUND if the token is unknown or expired, or if its QR code is
 * deleted or differs from `id`; VALIDATION_ERROR naming `format` or `size`.
 */
export async function renderByToken(
  deps: ImageDeps,
  { token, id, ...request }: ImageRequest & { token: string; id?: string | undefined },
): Promise<ImageResponse> {
  const found = await deps.downloadTokens.byHash(tokenHash(token), deps.now());
  if (!found || (id !== undefined && found.qrCodeId !== id)) throw tokenNotFound();
  const code = await deps.store.qrCodes.byId(found.workspaceId, found.qrCodeId);
  if (code?.state !== 'live') throw tokenNotFound();
  return renderImage(deps, code, request);
}

const tokenNotFound = (): Error => fail('NOT_FOUND', 'The token is unknown or has expired.');
