import { fail, faultCode, idForOperation, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { assertLogoIncluded } from '../domain/logos.js';
import { draftQrCode, newQrCode, type QrCodeInput } from '../domain/new-qr-code.js';
import type { QrCode } from '../domain/qr-code.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { Deps } from '../usecase-deps.js';
import { routeOf } from '../steps/find-code.js';
import { checkLogo } from '../steps/check-logo.js';
import { removeCode, type RemoveDeps } from '../steps/remove-code.js';
import { isRefusal, settle, type Settled, type SettleDeps } from '../steps/settle.js';

type CreateDeps = SettleDeps &
  RemoveDeps &
  Pick<Deps, 'plans' | 'insertions' | 'checkScannable' | 'abandonedMs'> &
  CallDeps;

export interface CreateQrCodeInput extends QrCodeInput {
  /** ULID. A call with a repeated id returns the QR code that the first attempt created, or completes that attempt. */
  operationId?: string | undefined;
}

/**
 * Creates a QR code. Throws VALIDATION_ERROR naming the field; PLAN_LIMIT_EXCEEDED naming `qrCodes`, or `qrLogoEnabled`
 * for a logo that the plan does not include; SERVICE_UNAVAILABLE if `deps.signal` is aborted before the creation
 * starts, or if an earlier attempt is being undone; or the link service's error. A repetition of a successful creation
 * is never rejected because of the limit.
 */
export async function createQrCode(deps: CreateDeps, by: Principal, input: CreateQrCodeInput): Promise<QrCodeView> {
  const now = deps.now();
  const draft = draftQrCode(input, now);
  deps.checkScannable(draft.styleConfig);
  if (draft.logoRunRef !== null) {
    assertLogoIncluded(deps.plans[by.plan]);
    await checkLogo(deps.logos, by.workspaceId, draft.logoRunRef);
  }
  const id = idForOperation('qr', input.operationId);
  const code = newQrCode(draft, by, id, new Date(now.getTime() + deps.abandonedMs));
  if ((await deps.insertions.run({ code, plan: by.plan }, deps.signal)) === 'existing') {
    const { code, route } = await existingCode(deps, by, id);
    return qrCodeView(code, route);
  }
  const settled = await finish(deps, code).catch((error: unknown) => {
    if (faultCode(error) === 'NOT_FOUND' && input.operationId !== undefined) return undefined;
    throw error;
  });
  // The earlier attempt with this operation id was undone, and the id of its QR code cannot be reused.
  if (!settled) return createQrCode(deps, by, { ...input, operationId: undefined });
  return qrCodeView(settled.code, settled.route);
}

/** Time reserved for committing what the link service has accepted, milliseconds. */
const COMMIT_MS = 500;

/** Completes a creation, or discards the record if the link service rejects it. */
function finish(deps: CreateDeps, code: QrCode): Promise<Settled> {
  return settle(deps, code, { timeoutMs: deps.deadline - Date.now() - COMMIT_MS }).catch(async (error: unknown) => {
    if (isRefusal(error)) await discard(deps, code);
    throw error;
  });
}

const discard = (deps: CreateDeps, code: QrCode): Promise<boolean> =>
  removeCode(deps, null, code, ({ session }) => deps.store.qrCodes.discard(code, session));

/** Returns the QR code that an earlier attempt of the same operation created or started. */
async function existingCode(deps: CreateDeps, by: Principal, id: string): Promise<Settled> {
  const code = await deps.store.qrCodes.byId(by.workspaceId, id);
  // Do not discard the record on rejection: the link service may have accepted the earlier attempt. `sweepUnfinished`
  // undoes the creation if necessary.
  if (code?.state === 'begun') return settle(deps, code);
  if (code?.state === 'live') return { code, route: await routeOf(deps, by, id) };
  throw fail('SERVICE_UNAVAILABLE', 'An earlier attempt of this request is being undone. Try again in a minute.');
}
