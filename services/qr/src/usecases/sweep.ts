import { faultCode } from '@tautan/kit';
import { nextDueAt, type QrCode } from '../domain/qr-code.js';
import { expireCode, type ChangeDeps } from './change-code.js';
import { removeRoute } from './delete-qr-code.js';
import type { UnclaimedWatch } from '../steps/unclaimed-watch.js';
import { removeCode, type RemoveDeps } from '../steps/remove-code.js';
import { settle } from '../steps/settle.js';

const unavailableCodes: unknown[] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
const MAX_AT_A_TIME = 200;
/** Maximum number of unfinished QR codes that one sweep reads, far more than are processed concurrently. */
const MAX_UNFINISHED = 5_000;
const MAX_CONCURRENT = 8;

/**
 * Finishes unclaimed records: completes changes, undoes abandoned creations and removes routes. Returns whether there were
 * unfinished records, claimed ones included.
 */
export async function sweepUnfinished({
  watch,
  ...deps
}: ChangeDeps & RemoveDeps & { watch: UnclaimedWatch }): Promise<boolean> {
  const { store, now, leaseMs, log } = deps;
  const unfinished = await store.qrCodes.unfinished(MAX_UNFINISHED);
  for (const seen of watch.unclaimed(unfinished)) {
    const code = await store.qrCodes.claim(seen, nextDueAt(seen.dueAt, now(), leaseMs));
    if (!code) continue;
    try {
      await finishOrUndo(deps, code);
    } catch (error) {
      log.warn({ err: error, id: code._id }, 'a QR code is left to the next sweep');
      // The link service is unavailable, so the others would fail, too.
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

/** Expires every QR code that has reached a limit. Idempotent across replicas. */
export async function sweepExpired(deps: ChangeDeps): Promise<void> {
  for (;;) {
    const ended = await deps.routes.ended(MAX_AT_A_TIME);
    let expired = 0;
    for (let from = 0; from < ended.length; from += MAX_CONCURRENT) {
      const some = ended.slice(from, from + MAX_CONCURRENT);
      const outcomes = await Promise.all(some.map((each) => tryToExpire(deps, each)));
      expired += outcomes.filter(Boolean).length;
    }
    if (ended.length < MAX_AT_A_TIME || expired === 0) return;
  }
}

/** Returns whether the code is no longer active. A failure must not prevent others from expiring. */
async function tryToExpire(
  deps: ChangeDeps,
  { qrCodeId: id, workspaceId }: { qrCodeId: string; workspaceId: string },
): Promise<boolean> {
  try {
    const { code } = await expireCode(deps, { workspaceId, id });
    return code.status !== 'active';
  } catch (error) {
    deps.log.warn({ err: error, id }, 'a QR code could not be expired');
    return false;
  }
}
