import type { Principal } from '@tautan/kit';
import { statusAt } from '../domain/limits.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { Deps } from '../usecase-deps.js';
import { findCode, routeOf } from '../steps/find-code.js';

/**
 * Returns a QR code. Its status is `expired` as soon as it has reached a limit. Throws NOT_FOUND, or FORBIDDEN if it
 * belongs to another workspace.
 */
export async function getQrCode(
  deps: Pick<Deps, 'store' | 'routes' | 'now'>,
  by: Principal,
  { id }: { id: string },
): Promise<QrCodeView> {
  const code = await findCode(deps, by.workspaceId, id);
  const route = await routeOf(deps, by, id);
  return qrCodeView({ ...code, status: statusAt(code, route, deps.now()) }, route);
}
