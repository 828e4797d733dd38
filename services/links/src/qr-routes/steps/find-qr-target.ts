import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { QrTarget } from '../domain/qr-target.js';
import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Returns the target of a QR code of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace.
 */
export async function findQrTarget(
  { store }: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  id: string,
  session?: Transaction['session'],
): Promise<QrTarget> {
  const target = isId(id, 'qr') ? await store.qrTargets.anyById(id, session) : null;
  if (!target) throw unknownQrCode();
  if (target.workspaceId !== workspaceId) throw foreignQrCode();
  if (target.purgeAt) throw unknownQrCode();
  return target;
}

export const unknownQrCode = (): Error => fail('NOT_FOUND', 'No QR code with this id.');
export const foreignQrCode = (): Error => fail('FORBIDDEN', 'The QR code belongs to another workspace.');
