import { faultCode } from '@tautan/kit';
import { nextDueAt, type QrCode } from '../domain/qr-code.js';
import type { ChangeDeps } from '../steps/change-code.js';
import { removeRoute } from '../steps/remove-route.js';
import type { UnclaimedWatch } from '../steps/unclaimed-watch.js';
import { removeCode, type RemoveDeps } from '../steps/remove-code.js';
import { settle } from '../steps/settle.js';

const unavailableCodes: unknown[] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
/** Maximum number of unfinished QR codes that one sweep reads, far more than are being changed at any one time. */
const MAX_UNFINISHED = 5_000;

/**
 * Finishes the unfinished QR codes that no process is working on (see `UnclaimedWatch`): completes changes, undoes
 * abandoned creations, and completes deletions. Returns whether there were unfinished QR codes, including those that a
 * process is working on.
 */
export async function sweepUnfinished({
  watch,
  ...deps
}: ChangeDeps & RemoveDeps & { watch: UnclaimedWatch }): Promise<boolean> {
  const { store, now, leaseMs, log } = deps;
  const unfinished = await store.qrCodes.unfinished(MAX_UNFINISHED);
  for (const unclaimed of watch.unclaimed(unfinished)) {
    const code = await store.qrCodes.claim(unclaimed, nextDueAt(unclaimed.dueAt, now(), leaseMs));
    if (!code) continue;
    try {
      await finishOrUndo(deps, code);
    } catch (error) {
      log.warn(
        { err: error, id: code._id },
        'an unfinished QR code could not be completed; the next sweep will retry, unless the change was rejected',
      );
      // The link service is probably unavailable, so the others would fail, too.
      if (unavailableCodes.includes(faultCode(error))) break;
    }
  }
  return unfinished.length > 0;
}

async function finishOrUndo(deps: ChangeDeps & RemoveDeps, code: QrCode): Promise<void> {
  if (code.state === 'live') {
    await settle(deps, code);
    return;
  }
  if (code.state === 'begun' && !(await tombstone(deps, code))) return;
  await removeRoute(deps, code, { ...code, state: 'deleted' });
}

const tombstone = (deps: RemoveDeps & Pick<ChangeDeps, 'store'>, code: QrCode): Promise<boolean> =>
  removeCode(deps, null, code, ({ session }) => deps.store.qrCodes.tombstone(code, code.dueAt!, session));
