import { checkLimit } from '@tautan/kit';
import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Returns up to `limit` QR codes, of any workspace, that have passed their own expiry date or reached their own scan
 * limit, but are still stored as active. The limits of their links do not matter. Throws VALIDATION_ERROR naming `limit`
 * unless it is 1 to 200.
 */
export async function listEndedQrRoutes(
  { store, now }: Pick<ApiDeps, 'store' | 'now'>,
  { limit }: { limit: number },
): Promise<{ qrCodeId: string; workspaceId: string }[]> {
  checkLimit(limit);
  const ended = await store.routes.due('qr', now(), limit);
  return ended.map(({ qrId, workspaceId }) => ({ qrCodeId: qrId!, workspaceId }));
}
