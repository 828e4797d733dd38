import { fail, faultCode, operationIdOf, type Principal } from '@tautan/kit';
import type { Call } from '@tautan/kit/rpc';
import { assertLogoIncluded } from '../domain/logos.js';
import { draftQrCode, newQrCode, type QrCodeInput } from '../domain/new-qr-code.js';
import type { QrCode } from '../domain/qr-code.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { Deps } from './deps.js';
import { routeOf } from './find-code.js';
import { checkLogo } from './find-logo.js';
import { removeCode, type RemoveDeps } from './remove-code.js';
import { isRefusal, settle, type Settled, type SettleDeps } from './settle.js';

type CreateDeps = SettleDeps & RemoveDeps & Pick<Deps, 'plans' | 'insertions' | 'checkScannable' | 'abandonedMs'>;

export interface CreateQrCodeInput extends QrCodeInput {
  /** ULID; a repetition with the same one answers the QR code that the first one made, or finishes it. */
  operationId?: string | undefined;
}

/**
 * Creates a QR code. Throws VALIDATION_ERROR naming the field; PLAN_LIMIT_EXCEEDED naming `qrCodes`, or `qrLogoEnabled` for a
 * logo that the plan does not include; SERVICE_UNAVAILABLE when `call.signal` is aborted before the creation starts; or what the
 * link service answers. A repetition of a creation that succeeded is never refused by the limit.
 */
export async function createQrCode(
  deps: CreateDeps,
  by: Principal,
  input: CreateQrCodeInput,
  call: Pick<Call, 'signal' | 'deadline'>,
): Promise<QrCodeView> {
  const now = deps.now();
  const draft = draftQrCode(input, now);
  deps.checkScannable(draft.styleConfig);
  if (draft.logoRunRef !== null) {
    assertLogoIncluded(deps.plans[by.plan]);
    await checkLogo(deps.logos, by.workspaceId, draft.logoRunRef);
  }
  const id = operationIdOf('qr', input.operationId);
  const code = newQrCode(draft, by, id, new Date(now.getTime() + deps.abandonedMs));
  if ((await deps.insertions.run({ code, plan: by.plan }, call.signal)) === 'existing') {
    const { code, route } = await earlier(deps, by, id);
    return qrCodeView(code, route);
  }
  const settled = await finish(deps, code, call.deadline).catch((error: unknown) => {
    if (faultCode(error) === 'NOT_FOUND' && input.operationId !== undefined) return undefined;
    throw error;
  });
  // What an earlier request with this operation id began was undone, and its id does not come back.
  if (!settled) return createQrCode(deps, by, { ...input, operationId: undefined }, call);
  return qrCodeView(settled.code, settled.route);
}

/** Time that is kept for writing what the link service has accepted. */
const COMMIT_MS = 500;

/** Nothing is left of what the link service refused. */
function finish(deps: CreateDeps, code: QrCode, deadline: number): Promise<Settled> {
  return settle(deps, code, deadline - Date.now() - COMMIT_MS).catch(async (error: unknown) => {
    if (isRefusal(error)) await discard(deps, code);
    throw error;
  });
}

const discard = (deps: CreateDeps, code: QrCode): Promise<boolean> =>
  removeCode(deps, null, code, ({ session }) => deps.store.qrCodes.discard(code, session));

/** The QR code that an earlier request with the same operation id made, or began. */
async function earlier(deps: CreateDeps, by: Principal, id: string): Promise<Settled> {
  const code = await deps.store.qrCodes.byId(by.workspaceId, id);
  // What is refused now may have been accepted before: the sweep undoes it in due time.
  if (code?.state === 'begun') return settle(deps, code);
  if (code?.state === 'live') return { code, route: await routeOf(deps, by, id) };
  throw fail('SERVICE_UNAVAILABLE', 'What this request began before is being undone; try again in a minute.');
}
