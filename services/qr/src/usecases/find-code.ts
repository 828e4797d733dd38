import { fail, isId } from '@tautan/kit';
import type { QrCode, QrRoute } from '../domain/qr-code.js';
import type { Asking } from '../routes.js';
import type { Deps } from './deps.js';

/** A QR code of the workspace. Throws NOT_FOUND, or FORBIDDEN when it is another workspace's. */
export async function findCode({ store }: Pick<Deps, 'store'>, workspaceId: string, id: string): Promise<QrCode> {
  if (!isId(id, 'qr')) throw unknownCode();
  const code = await store.qrCodes.byId(workspaceId, id);
  if (code?.state === 'live') return code;
  if (!code && (await store.qrCodes.existsAnywhere(id))) {
    throw fail('FORBIDDEN', 'The QR code belongs to another workspace.');
  }
  throw unknownCode();
}

/** What the link service has of a QR code. Throws NOT_FOUND where it has nothing any more: it is being deleted. */
export async function routeOf({ routes }: Pick<Deps, 'routes'>, asking: Asking, id: string): Promise<QrRoute> {
  const route = (await routes.of(asking, [id])).get(id);
  if (!route) throw unknownCode();
  return route;
}

export const unknownCode = (): Error => fail('NOT_FOUND', 'There is no such QR code.');
