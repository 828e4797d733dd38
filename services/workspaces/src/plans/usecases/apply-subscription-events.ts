import type { TautanEvent } from '@tautan/proto';
import { withSubscription } from '../domain/workspace-plan.js';
import { changePlan, type PlanDeps } from '../steps/change-plan.js';

type SubscriptionEvent = TautanEvent<'subscription.updated' | 'subscription.canceled'>;

/**
 * Applies subscription events to the plans of their workspaces. An event that is not newer than the last applied one
 * changes nothing. The gateways are always notified: if an event is a redelivery, an earlier process may have crashed
 * between the change and its notification.
 */
export async function applySubscriptionEvents(deps: PlanDeps, events: SubscriptionEvent[]): Promise<void> {
  const ids = [...new Set(events.map(({ workspaceId }) => workspaceId))];
  await Promise.all(
    ids.map((id) =>
      applyToWorkspace(
        deps,
        id,
        events.filter(({ workspaceId }) => workspaceId === id),
      ),
    ),
  );
}

async function applyToWorkspace(deps: PlanDeps, workspaceId: string, events: SubscriptionEvent[]): Promise<void> {
  await deps.transact(null, async (tx) => {
    const workspace = await deps.workspaces.find(workspaceId, tx);
    if (!workspace) return;
    const planSources = events.reduce(
      (sources, { data: { plan, status }, version, at }) =>
        withSubscription(sources, { plan, status, version, at: new Date(at) }),
      workspace.planSources,
    );
    if (planSources !== workspace.planSources) await changePlan(deps, { workspace, planSources }, tx);
  });
  deps.invalidateEntitlements(workspaceId);
}
