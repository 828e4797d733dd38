import { fail } from '@tautan/kit';
import { hashOf } from './create-download-token.js';
import type { ImageDeps } from '../image-deps.js';
import { imageOf, type ImageResponse, type ImageRequest } from './render-qr-code.js';

/**
 * Renders the QR code of a download token. Throws NOT_FOUND if the token is unknown or expired, or if its QR code is deleted or
 * differs from `id`; VALIDATION_ERROR naming `format` or `size`.
 */
export async function renderByToken(
  deps: ImageDeps,
  { token, id, ...request }: ImageRequest & { token: string; id?: string | undefined },
): Promise<ImageResponse> {
  const found = await deps.downloadTokens.byHash(hashOf(token), deps.now());
  if (!found || (id !== undefined && found.qrCodeId !== id)) throw tokenNotFound();
  const code = await deps.store.qrCodes.byId(found.workspaceId, found.qrCodeId);
  if (code?.state !== 'live') throw tokenNotFound();
  return imageOf(deps, code, request);
}

const tokenNotFound = (): Error => fail('NOT_FOUND', 'The token is unknown or has expired.');
