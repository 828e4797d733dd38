import { errorCatalog, fail, faultCode, isFault, type FaultKind } from '@tautan/kit';
import { faultOf } from '@tautan/kit/mongo';
import type { Pending, QrCode, QrRoute } from '../domain/qr-code.js';
import { commitChange } from './commit-change.js';
import type { Deps } from '../usecase-deps.js';

export type SettleDeps = Pick<Deps, 'store' | 'logos' | 'routes' | 'transact' | 'creations' | 'now' | 'log'>;

/** A QR code without a pending change, and its route. */
export interface Settled {
  code: QrCode;
  route: QrRoute;
}

/**
 * Completes the pending change: first sends the change to the link service, which validates it and resolves its tags.
 * Then this function commits the change with its event in one transaction. The change is therefore in effect when it is
 * returned and published, and after a crash any process can complete it, because repetitions are idempotent. Throws if
 * the call to the link service or the commit fails. The change to a live code is then dropped if the link service
 * rejected it, otherwise completed later; an abandoned creation is undone. `timeoutMs` is the timeout of the call to
 * the link service; the default is 1.5 s, and a smaller value is raised to it. `isRequested` means that the caller
 * requested this change, so the message of the error says that it is completed later.
 */
export async function settle(
  deps: SettleDeps,
  code: QrCode,
  { timeoutMs, isRequested = false }: { timeoutMs?: number; isRequested?: boolean } = {},
): Promise<Settled> {
  const pending = code.pending!;
  const next = { ...code, ...pending.set };
  const route = await deps.routes.put(next, pending, timeoutMs).catch(async (error: unknown) => {
    await releaseOrDrop(deps, code, pending, error);
    throw isRequested ? withAppliedLater(error) : error;
  });
  const change = { code, next, pending, route };
  const isNew = code.state === 'begun';
  const after = isNew
    ? await deps.creations.run(change)
    : await deps
        .transact(pending.by, (tx) => commitChange(deps, tx, change))
        .catch((error: unknown) => {
          // A fault means that another process has completed or dropped the change.
          throw isRequested && !isFault(error) ? withAppliedLater(error) : error;
        });
  return { code: after, route };
}

/**
 * Returns the error with a message that the change will be applied later. Returns the error itself if it is a rejection
 * or a defect.
 */
export function withAppliedLater(error: unknown): unknown {
  const fault = faultOf(error);
  return fault && !isRefusal(fault)
    ? fail(fault.code, 'The change is stored and will be applied as soon as possible.')
    : error;
}

const refusals: FaultKind[] = ['invalid', 'not_found', 'forbidden', 'conflict', 'payment_required'];

/** Returns whether the link service rejected a change, as opposed to not having responded. */
export function isRefusal(error: unknown): boolean {
  const code = faultCode(error);
  return code !== undefined && refusals.includes(errorCatalog[code].kind);
}

/**
 * Drops a change that the link service rejected, and releases any other for the sweep. A failure to do so is only
 * logged, because the sweep runs anyway.
 */
async function releaseOrDrop(
  { store, log }: SettleDeps,
  code: QrCode,
  pending: Pending,
  error: unknown,
): Promise<void> {
  // A code that is being created is hidden, and the use case that creates it handles the failure.
  if (code.state === 'begun') return;
  try {
    if (isRefusal(error)) await store.qrCodes.revoke(code, pending);
    else await store.qrCodes.release(code);
  } catch (failure) {
    log.warn({ err: failure, id: code._id }, 'a failed change could not be settled; the sweep will retry');
  }
}
