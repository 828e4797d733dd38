import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { QrCode } from '../domain/qr-code.js';
import { qrCodeView } from '../domain/view.js';
import type { Asking } from '../routes.js';
import { undisturbed, type ChangeDeps } from './change-code.js';
import { targetOf } from './commit-change.js';
import type { Deps } from './deps.js';
import { removeCode, type RemoveDeps } from './remove-code.js';

type DeleteDeps = ChangeDeps & RemoveDeps;

/**
 * Deletes a QR code; its slug stays reserved for the workspace. Throws NOT_FOUND or FORBIDDEN, or SERVICE_UNAVAILABLE when
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
    const { code, route } = await undisturbed(deps, { by, workspaceId: by.workspaceId, id });
    const bury = async (tx: Transaction): Promise<boolean> => {
      const dueAt = new Date(deps.now().getTime() + deps.leaseMs);
      if (!(await deps.store.qrCodes.bury(code, dueAt, tx.session))) return false;
      tx.emit({ type: 'qr_code.deleted', target: targetOf(code), data: qrCodeView(code, route) });
      return true;
    };
    const buried = await removeCode(deps, by, code, bury, signal);
    if (!buried) continue;
    await removeRoute(deps, by, { ...code, state: 'deleted' }).catch((error: unknown) =>
      deps.log.warn({ err: error, id }, 'the route of a deleted QR code is left to the sweep'),
    );
    return { id };
  }
}

/**
 * Gives the route of a buried QR code up, and then the record: the link service keeps in mind that there is no such code any
 * more. Rejects, and is to be done again soon, when the link service does not do it.
 */
export async function removeRoute(
  { store, routes }: Pick<Deps, 'store' | 'routes'>,
  asking: Asking,
  code: QrCode,
): Promise<void> {
  try {
    await routes.remove(asking, code._id);
  } catch (error) {
    await store.qrCodes.leave(code);
    throw error;
  }
  await store.qrCodes.erase(code);
}
