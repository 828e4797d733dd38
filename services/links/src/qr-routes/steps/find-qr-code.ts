import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { QrCodeData } from '../domain/qr-route.js';
import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Returns the data of a QR code of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace.
 */
export async function findQrCode(
  { store }: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  id: string,
  session?: Transaction['session'],
): Promise<QrCodeData> {
  const code = isId(id, 'qr') ? await store.qrCodeData.anyById(id, session) : null;
  if (!code) throw unknownQrCode();
  if (code.workspaceId !== workspaceId) throw foreignQrCode();
  if (code.purgeAt) throw unknownQrCode();
  return code;
}

export const unknownQrCode = (): Error => fail('NOT_FOUND', 'No QR code with this id.');
export const foreignQrCode = (): Error => fail('FORBIDDEN', 'The QR code belongs to another workspace.');
