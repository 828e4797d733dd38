import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { QrCode } from '../domain/qr-code.js';
import type { Deps } from '../usecase-deps.js';

export type RemoveDeps = Pick<Deps, 'logos' | 'counters' | 'usageMutex' | 'transact' | 'now'>;

/**
 * Removes a QR code with `remove`. In the same transaction, decrements the workspace's usage counter and updates the
 * time at which the logo was last used. Returns false, and changes nothing, if `remove` returns false. Throws
 * SERVICE_UNAVAILABLE if `signal` is aborted before the removal starts.
 */
export const removeCode = (
  deps: RemoveDeps,
  by: Principal | null,
  code: QrCode,
  remove: (tx: Transaction) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<boolean> =>
  deps.usageMutex.run(
    code.workspaceId,
    () =>
      deps.transact(
        by,
        async (tx) => {
          if (!(await remove(tx))) return false;
          await releaseResources(deps, code, tx);
          return true;
        },
        signal,
      ),
    signal,
  );

async function releaseResources(
  { counters, logos, now }: RemoveDeps,
  code: QrCode,
  { session }: Transaction,
): Promise<void> {
  const { workspaceId, logoRunRef } = code;
  await counters.release(session, { workspaceId, limit: 'qrCodes', count: 1, at: now() });
  if (logoRunRef !== null) await logos.touch(workspaceId, [logoRunRef], now(), session);
}
