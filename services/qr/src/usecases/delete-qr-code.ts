import type { Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import type { Transaction } from '@tautan/kit/mongo';
import { qrCodeView } from '../domain/view.js';
import { findCurrent, type ChangeDeps } from '../steps/change-code.js';
import { targetOf } from '../steps/commit-change.js';
import { removeCode, type RemoveDeps } from '../steps/remove-code.js';
import { removeRoute } from '../steps/remove-route.js';

type DeleteDeps = ChangeDeps & RemoveDeps & Pick<CallDeps, 'signal'>;

/**
 * Deletes a QR code; its slug stays reserved for the workspace. An active code that has reached a limit expires first,
 * and `qr_code.expired` is emitted. Throws NOT_FOUND or FORBIDDEN, or SERVICE_UNAVAILABLE if `deps.signal` is aborted
 * before the deletion starts.
 */
export const deleteQrCode = (deps: DeleteDeps, by: Principal, { id }: { id: string }): Promise<{ id: string }> =>
  deps.codeMutex.run(id, () => remove(deps, by, id), deps.signal);

async function remove(deps: DeleteDeps, by: Principal, id: string): Promise<{ id: string }> {
  for (;;) {
    const { code, route } = await findCurrent(deps, { by, workspaceId: by.workspaceId, id });
    const tombstone = async (tx: Transaction): Promise<boolean> => {
      const dueAt = new Date(deps.now().getTime() + deps.leaseMs);
      if (!(await deps.store.qrCodes.tombstone(code, dueAt, tx.session))) return false;
      tx.emit({ type: 'qr_code.deleted', target: targetOf(code), data: qrCodeView(code, route) });
      return true;
    };
    const tombstoned = await removeCode(deps, by, code, tombstone, deps.signal);
    if (!tombstoned) continue;
    await removeRoute(deps, by, { ...code, state: 'deleted' }).catch((error: unknown) =>
      deps.log.warn({ err: error, id }, 'the route of a deleted QR code could not be removed; the sweep will retry'),
    );
    return { id };
  }
}
