import { faultCode } from '@tautan/kit';
import type { QrCode } from '../domain/qr-code.js';
import { expireCode, type ChangeDeps } from './change-code.js';
import { removeRoute } from './delete-qr-code.js';
import { removeCode, type RemoveDeps } from './remove-code.js';
import { settle } from './settle.js';

const away: unknown[] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
const MOST_AT_A_TIME = 200;
const EXPIRED_AT_ONCE = 8;

/** Looks after what was left: changes that nobody carries out any more, creations that were given up, routes to remove. */
export async function sweepLeft(deps: ChangeDeps & RemoveDeps): Promise<void> {
  const { store, now, leaseMs, log } = deps;
  for (let looked = 0; looked < MOST_AT_A_TIME; looked += 1) {
    const code = await store.qrCodes.claimDue(now(), new Date(now().getTime() + leaseMs));
    if (!code) return;
    try {
      await tend(deps, code);
    } catch (error) {
      log.warn({ err: error, id: code._id }, 'a QR code is left to the next sweep');
      // With the link service away the others fare no better.
      if (away.includes(faultCode(error))) return;
    }
  }
}

async function tend(deps: ChangeDeps & RemoveDeps, code: QrCode): Promise<void> {
  if (code.state === 'live') {
    await settle(deps, code);
    return;
  }
  if (code.state === 'begun' && !(await bury(deps, code))) return;
  await removeRoute(deps, code, { ...code, state: 'deleted' });
}

const bury = (deps: RemoveDeps & Pick<ChangeDeps, 'store'>, code: QrCode): Promise<boolean> =>
  removeCode(deps, null, code, ({ session }) => deps.store.qrCodes.bury(code, code.dueAt!, session));

/** Lets every QR code expire that has reached a limit, however many replicas do so at once. */
export async function sweepEnded(deps: ChangeDeps): Promise<void> {
  for (;;) {
    const ended = await deps.routes.ended(MOST_AT_A_TIME);
    let expired = 0;
    for (let from = 0; from < ended.length; from += EXPIRED_AT_ONCE) {
      const some = ended.slice(from, from + EXPIRED_AT_ONCE);
      const outcomes = await Promise.all(some.map((each) => tryToExpire(deps, each)));
      expired += outcomes.filter(Boolean).length;
    }
    if (ended.length < MOST_AT_A_TIME || expired === 0) return;
  }
}

/** Whether it is over now. One that cannot expire must not keep the others from it. */
async function tryToExpire(
  deps: ChangeDeps,
  { qrCodeId: id, workspaceId }: { qrCodeId: string; workspaceId: string },
): Promise<boolean> {
  try {
    const { code } = await expireCode(deps, { workspaceId, id });
    return code.status !== 'active';
  } catch (error) {
    deps.log.warn({ err: error, id }, 'a QR code did not expire');
    return false;
  }
}
