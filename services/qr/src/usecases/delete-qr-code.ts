import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { QrCode } from '../domain/qr-code.js';
import { qrCodeView } from '../domain/view.js';
import type { Requester } from '../routes.js';
import { findSettled, type ChangeDeps } from './change-code.js';
import { targetOf } from '../steps/commit-change.js';
import type { Deps } from '../usecase-deps.js';
import { removeCode, type RemoveDeps } from '../steps/remove-code.js';

type DeleteDeps = ChangeDeps & RemoveDeps;

/**
 * Deletes a QR code; its slug stays reserved for the workspace. Throws NOT_FOUND or FORBIDDEN, or SERVICE_UNAVAILABLE if
 * `signal` is aborted before the deletion starts.
 */
export const deleteQrCode = (
  deps: DeleteDeps,
  by: Principal,
  { id }: { id: string },
  signal?: AbortSignal,
): Promise<{ id: string }> => deps.codeMutex.run(id, () => remove(deps, by, id, signal), signal);

async function remove(deps: DeleteDeps, by: Principal, id: string, signal?: AbortSignal): Promise<{ id: string }> {
  for (;;) {
    const { code, route } = await findSettled(deps, { by, workspaceId: by.workspaceId, id });
    const tombstone = async (tx: Transaction): Promise<boolean> => {
      const dueAt = new Date(deps.now().getTime() + deps.leaseMs);
      if (!(await deps.store.qrCodes.tombstone(code, dueAt, tx.session))) return false;
      tx.emit({ type: 'qr_code.deleted', target: targetOf(code), data: qrCodeView(code, route) });
      return true;
    };
    const tombstoned = await removeCode(deps, by, code, tombstone, signal);
    if (!tombstoned) continue;
    await removeRoute(deps, by, { ...code, state: 'deleted' }).catch((error: unknown) =>
      deps.log.warn({ err: error, id }, 'the route of a deleted QR code is left to the sweep'),
    );
    return { id };
  }
}

/**
 * Removes the route of a tombstoned QR code, and then the record. The link service remembers that the code was deleted.
 * Rejects, and should be retried soon, if the link service fails.
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
