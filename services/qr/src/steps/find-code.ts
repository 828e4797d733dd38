import { fail, isId } from '@tautan/kit';
import type { QrCode, QrRoute } from '../domain/qr-code.js';
import type { Requester } from '../routes.js';
import type { Deps } from '../usecase-deps.js';

/** Returns a QR code of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findCode({ store }: Pick<Deps, 'store'>, workspaceId: string, id: string): Promise<QrCode> {
  if (!isId(id, 'qr')) throw qrCodeNotFound();
  const code = await store.qrCodes.byId(workspaceId, id);
  if (code?.state === 'live') return code;
  if (!code && (await store.qrCodes.existsAnywhere(id))) {
    throw fail('FORBIDDEN', 'The QR code belongs to another workspace.');
  }
  throw qrCodeNotFound();
}

/** Returns the route of a QR code. Throws NOT_FOUND if there is none because the code is being deleted. */
export async function routeOf({ routes }: Pick<Deps, 'routes'>, requester: Requester, id: string): Promise<QrRoute> {
  const route = (await routes.of(requester, [id])).get(id);
  if (!route) throw qrCodeNotFound();
  return route;
}

export const qrCodeNotFound = (): Error => fail('NOT_FOUND', 'No QR code with this id.');
