import type { TautanEvent } from '@tautan/proto';
import type { WorkspaceStore } from '../store/workspaces.js';

export interface FollowPlansDeps {
  workspaces: WorkspaceStore;
  /** Makes every gateway ask anew what a workspace may do. */
  dropEntitlements: (workspaceId: string) => void;
}

/**
 * Puts workspaces on the plans that events tell of their subscriptions. An event that comes again, or after a later one,
 * changes nothing. The gateways are told each time: whoever died after the change did not tell them.
 */
export async function followPlans(
  { workspaces, dropEntitlements }: FollowPlansDeps,
  events: TautanEvent<'subscription.updated' | 'subscription.canceled'>[],
): Promise<void> {
  await workspaces.followPlans(events.map(({ workspaceId, data, at }) => ({ workspaceId, plan: data.plan, at: new Date(at) }))); // prettier-ignore
  for (const workspaceId of new Set(events.map((event) => event.workspaceId))) dropEntitlements(workspaceId);
}
