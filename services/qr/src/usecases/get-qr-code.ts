import type { Principal } from '@tautan/kit';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { Deps } from './deps.js';
import { findCode, routeOf } from './find-code.js';

/** A QR code. Throws NOT_FOUND, or FORBIDDEN for another workspace's. */
export async function getQrCode(
  deps: Pick<Deps, 'store' | 'routes'>,
  by: Principal,
  { id }: { id: string },
): Promise<QrCodeView> {
  const code = await findCode(deps, by.workspaceId, id);
  return qrCodeView(code, await routeOf(deps, by, id));
}
