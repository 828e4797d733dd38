import { expireCode, type ChangeDeps } from '../steps/change-code.js';

const BATCH = 200;
const MAX_CONCURRENT = 8;

/**
 * Expires every active QR code that has passed its own expiry date or reached its own scan limit. Replicas may run this
 * concurrently.
 */
export async function sweepExpired(deps: ChangeDeps): Promise<void> {
  for (;;) {
    const ended = await deps.routes.ended(BATCH);
    let expired = 0;
    for (let from = 0; from < ended.length; from += MAX_CONCURRENT) {
      const some = ended.slice(from, from + MAX_CONCURRENT);
      const outcomes = await Promise.all(some.map((each) => tryToExpire(deps, each)));
      expired += outcomes.filter(Boolean).length;
    }
    if (ended.length < BATCH || expired === 0) return;
  }
}

/** Returns whether the code is no longer active. A failure must not prevent other codes from expiring. */
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
