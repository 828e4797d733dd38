import type { Transaction } from '@tautan/kit/mongo';
import type { Changes, EventType } from '@tautan/proto';
import { workspaceData, type Workspace } from '../domain/workspace.js';

type WorkspaceEvent = Extract<EventType, `workspace.${string}`>;

/**
 * Emits an event about a workspace. The version of the event is that of the plan, so that other services keep the
 * newest plan.
 */
export function emitWorkspace(
  tx: Transaction,
  type: WorkspaceEvent,
  workspace: Workspace,
  changes: Changes = {},
): void {
  tx.emit({
    type,
    workspaceId: workspace._id,
    version: workspace.planVersion,
    target: { type: 'workspace', id: workspace._id, label: workspace.name },
    data: workspaceData(workspace),
    changes,
  });
}
