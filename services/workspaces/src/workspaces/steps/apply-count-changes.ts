import type { Transaction } from '@tautan/kit/mongo';
import type { AppliedEventStore } from '../../store/applied-events.js';
import type { WorkspaceStore } from '../store/workspaces.js';

export interface CountDeps {
  workspaces: WorkspaceStore;
  appliedEvents: AppliedEventStore;
  now: () => Date;
}

/** The change to a workspace's count that an event reports. */
export interface CountChange {
  /** The event's id. */
  id: string;
  workspaceId: string;
  field: 'linkCount' | 'qrCodeCount';
  step: 1 | -1;
}

/**
 * Applies changes to the counts of their workspaces. Set `repeated` if some may have been applied before;
 * otherwise a change that was applied before makes the call reject with a duplicate key error.
 */
export async function applyCountChanges(
  { workspaces, appliedEvents, now }: CountDeps,
  tx: Transaction,
  changes: CountChange[],
  repeated: boolean,
): Promise<void> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  if (byId.size === 0) return;
  const ids = [...byId.keys()];
  const fresh = repeated ? await appliedEvents.unapplied(ids, tx) : ids;
  await appliedEvents.mark(fresh, now(), tx);
  await workspaces.addCounts(sums(fresh.map((id) => byId.get(id)!)), tx);
}

/** Returns the sums of changes by workspace. */
function sums(changes: CountChange[]): Map<string, Partial<Record<CountChange['field'], number>>> {
  const byWorkspace = new Map<string, Partial<Record<CountChange['field'], number>>>();
  for (const { workspaceId, field, step } of changes) {
    const sum = byWorkspace.get(workspaceId) ?? {};
    byWorkspace.set(workspaceId, { ...sum, [field]: (sum[field] ?? 0) + step });
  }
  return byWorkspace;
}
