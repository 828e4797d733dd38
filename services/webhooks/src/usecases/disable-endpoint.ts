import { changesBetween } from '@tautan/kit';
import { endpointView } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';

/**
 * Disables an endpoint that responded with 410 or failed for too long, and emits `webhook_endpoint.updated`. Returns
 * false, and changes nothing, if the endpoint is already disabled or deleted, or if its URL is no longer `url`, to
 * which the attempts were sent.
 */
export async function disableEndpoint(
  { store, transact, endpointChanged, now }: Pick<Deps, 'store' | 'transact' | 'endpointChanged' | 'now'>,
  { id, url, reason }: { id: string; url: string; reason: string },
): Promise<boolean> {
  const workspaceId = await transact(null, async (tx) => {
    const before = await store.endpoints.byId(id, tx.session);
    if (!before?.active || before.url !== url) return undefined;
    const set = { active: false, disabledReason: reason, updatedAt: now() };
    await store.endpoints.update(id, set, tx.session);
    const [old, view] = [endpointView(before), endpointView({ ...before, ...set })];
    tx.emit({
      type: 'webhook_endpoint.updated',
      workspaceId: before.workspaceId,
      target: { type: 'webhook_endpoint', id, label: before.url },
      data: view,
      changes: changesBetween(old, view),
    });
    return before.workspaceId;
  });
  if (workspaceId) endpointChanged({ workspaceId, endpointId: id });
  return workspaceId !== undefined;
}
