import { errorCatalogue, fail, faultCode, isFault, type FaultKind } from '@tautan/kit';
import type { Pending, QrCode, QrRoute } from '../domain/qr-code.js';
import { commitChange } from './commit-change.js';
import type { Deps } from './deps.js';

export type SettleDeps = Pick<Deps, 'store' | 'logos' | 'routes' | 'transact' | 'creations' | 'now' | 'log'>;

/** A QR code as it is, here and at the link service. */
export interface Settled {
  code: QrCode;
  route: QrRoute;
}

/**
 * Carries out the change that is under way: tells it to the link service, which has the last word on it and knows what
 * its tags are, and then lets it hold here, with its event, in one transaction. So what is answered and told is in effect,
 * and a crash at whatever point leaves a change that anybody can carry out: repetitions change nothing.
 * Throws what the link service answers: when it refuses, the change is off; else it is carried out later. `timeoutMs`: how long
 * the link service has, at least 1.5 s.
 */
export async function settle(deps: SettleDeps, code: QrCode, timeoutMs?: number): Promise<Settled> {
  const pending = code.pending!;
  const next = { ...code, ...pending.set };
  const route = await deps.routes.put(next, pending, timeoutMs).catch(async (error: unknown) => {
    await leave(deps, code, pending, error);
    throw isRefusal(error) || code.state === 'begun' ? error : carriedOutLater(error);
  });
  const change = { code, next, pending, route };
  const isNew = code.state === 'begun';
  const after = isNew
    ? await deps.creations.run(change)
    : await deps.transact(pending.by, (tx) => commitChange(deps, tx, change));
  return { code: after, route };
}

/** Says of a failure that the change is applied once the link service responds. */
const carriedOutLater = (error: unknown): unknown =>
  isFault(error)
    ? fail(error.code, 'The change is stored and will be applied as soon as the link service responds.')
    : error;

const refusals: FaultKind[] = ['invalid', 'not_found', 'forbidden', 'conflict', 'payment_required'];

/** Whether the link service has answered that it will not have a change, as opposed to not having answered. */
export function isRefusal(error: unknown): boolean {
  const code = faultCode(error);
  return code !== undefined && refusals.includes(errorCatalogue[code].kind);
}

/** Gives a change up that was refused; leaves another one to the sweep. Never rejects: the sweep comes anyway. */
async function leave({ store, log }: SettleDeps, code: QrCode, pending: Pending, error: unknown): Promise<void> {
  // Nobody sees what is being created, and whoever creates it knows what to do.
  if (code.state === 'begun') return;
  try {
    if (isRefusal(error)) await store.qrCodes.revoke(code, pending);
    else await store.qrCodes.leave(code);
  } catch (failure) {
    log.warn({ err: failure, id: code._id }, 'a change that failed is left to the sweep');
  }
}
