import type { QrCode } from '../domain/qr-code.js';
import type { Requester } from '../routes.js';
import type { Deps } from '../usecase-deps.js';

/**
 * Removes the route of a tombstoned QR code, and then the record. The link service remembers that the code was deleted.
 * If the link service fails, releases the record, so that the sweep retries soon, and rejects.
 */
export async function removeRoute(
  { store, routes }: Pick<Deps, 'store' | 'routes'>,
  requester: Requester,
  code: QrCode,
): Promise<void> {
  try {
    await routes.remove(requester, code._id);
  } catch (error) {
    await store.qrCodes.release(code);
    throw error;
  }
  await store.qrCodes.erase(code);
}
