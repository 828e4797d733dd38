import type { Transact } from '@tautan/kit/mongo';
import type { AppliedEventStore } from '../store/applied-events.js';
import type { WorkspaceStore } from '../store/workspaces.js';
import { retryDuplicates } from './retry-duplicates.js';

export interface CountDeps {
  workspaces: WorkspaceStore;
  appliedEvents: AppliedEventStore;
  transact: Transact;
  now: () => Date;
}

/** What an event adds to a count of its workspace. */
export interface CountChange {
  /** evt_… */
  id: string;
  workspaceId: string;
  field: 'linkCount' | 'qrCodeCount';
  step: 1 | -1;
}

/** Adds events to their workspaces' counts, each once however often it comes, all in one transaction. */
export async function countChanges(
  { workspaces, appliedEvents, transact, now }: CountDeps,
  changes: CountChange[],
): Promise<void> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  await retryDuplicates(() =>
    transact(null, async (tx) => {
      const fresh = await appliedEvents.mark([...byId.keys()], now(), tx);
      await workspaces.count(sums(fresh.map((id) => byId.get(id)!)), tx); // prettier-ignore
    }),
  );
}

/** What changes add up to, for each workspace. */
function sums(changes: CountChange[]): Map<string, Partial<Record<CountChange['field'], number>>> {
  const byWorkspace = new Map<string, Partial<Record<CountChange['field'], number>>>();
  for (const { workspaceId, field, step } of changes) {
    const sum = byWorkspace.get(workspaceId) ?? {};
    byWorkspace.set(workspaceId, { ...sum, [field]: (sum[field] ?? 0) + step });
  }
  return byWorkspace;
}
