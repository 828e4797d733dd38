import type { Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { assertLogoIncluded } from '../domain/logos.js';
import { applyPatch, parsePatch, type PatchInput } from '../domain/patch.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import { changeCode, type ChangeDeps } from '../steps/change-code.js';
import type { Deps } from '../usecase-deps.js';
import { checkLogo } from '../steps/check-logo.js';

export interface UpdateQrCodeInput extends PatchInput {
  id: string;
}

/**
 * Changes the given fields. If nothing changes, no event is emitted. If no tags are given and no other field changes,
 * nothing is written. A change with tags is always written, because tags can be compared only after the link service
 * has resolved them. Throws VALIDATION_ERROR naming the field, PLAN_LIMIT_EXCEEDED naming `qrLogoEnabled` for a new
 * logo that the plan does not include, and the errors of `changeCode`.
 */
export async function updateQrCode(
  deps: ChangeDeps & Pick<Deps, 'plans' | 'checkScannable'> & Pick<CallDeps, 'signal'>,
  by: Principal,
  { id, ...input }: UpdateQrCodeInput,
): Promise<QrCodeView> {
  const { signal } = deps;
  const { workspaceId } = by;
  const patch = parsePatch(input, deps.now());
  if (patch.logoRunRef) await checkLogo(deps.logos, workspaceId, patch.logoRunRef);
  const { code, route } = await changeCode(deps, { by, workspaceId, id, signal }, (code, route) => {
    const set = applyPatch(code, route, patch, deps.now());
    if (Object.keys(set).length === 0 && !patch.tags) return undefined;
    if (set.logoRunRef) assertLogoIncluded(deps.plans[by.plan]);
    if (set.styleConfig) deps.checkScannable(set.styleConfig);
    return { set, tags: patch.tags ?? null };
  });
  return qrCodeView(code, route);
}
