import { faultCode } from '@tautan/kit';
import { nextDueAt, type QrCode } from '../domain/qr-code.js';
import { expireCode, type ChangeDeps } from './change-code.js';
import { removeRoute } from './delete-qr-code.js';
import type { LeftWatch } from './left-watch.js';
import { removeCode, type RemoveDeps } from './remove-code.js';
import { settle } from './settle.js';

const away: unknown[] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
const MOST_AT_A_TIME = 200;
/** Maximum number of unfinished QR codes that one sweep reads; many more than are in work at a time. */
const MAX_UNFINISHED = 5_000;
const EXPIRED_AT_ONCE = 8;

/** Looks after what was left: changes that nobody carries out any more, creations that were given up, routes to remove. */
export async function sweepLeft({ watch, ...deps }: ChangeDeps & RemoveDeps & { watch: LeftWatch }): Promise<void> {
  const { store, now, leaseMs, log } = deps;
  for (const seen of watch.left(await store.qrCodes.unfinished(MAX_UNFINISHED))) {
    const code = await store.qrCodes.claim(seen, nextDueAt(seen.dueAt, now(), leaseMs));
    if (!code) continue;
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
