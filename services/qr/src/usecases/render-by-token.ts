import { fail } from '@tautan/kit';
import { hashOf } from './create-download-token.js';
import type { ImageDeps } from './image-deps.js';
import { imageOf, type ImageAnswer, type ImageRequest } from './render-qr-code.js';

/**
 * Draws the QR code that a token stands for. Throws NOT_FOUND for a token that is unknown or over, whose QR code is deleted,
 * or is another one than `id`; VALIDATION_ERROR naming `format` or `size`.
 */
export async function renderByToken(
  deps: ImageDeps,
  { token, id, ...request }: ImageRequest & { token: string; id?: string | undefined },
): Promise<ImageAnswer> {
  const found = await deps.downloadTokens.byHash(hashOf(token), deps.now());
  if (!found || (id !== undefined && found.qrCodeId !== id)) throw unknownToken();
  const code = await deps.store.qrCodes.byId(found.workspaceId, found.qrCodeId);
  if (code?.state !== 'live') throw unknownToken();
  return imageOf(deps, code, request);
}

const unknownToken = (): Error => fail('NOT_FOUND', 'There is no image behind this token, or no longer.');
