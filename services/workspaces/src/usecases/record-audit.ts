import { isDuplicateKey } from '@tautan/kit/mongo';
import type { Transact } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import { entryOf, isAudited, type AuditEntry } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';

interface Deps {
  audit: AuditStore;
  transact: Transact;
}

const MOST_RACES = 10;

/**
 * Writes events into the audit logs of their workspaces, each once whatever is delivered again, in one transaction. What
 * is no state change is passed over.
 */
export async function recordAudit(deps: Deps, events: TautanEvent[]): Promise<void> {
  const told = events.filter(({ type }) => isAudited(type));
  for (const [workspaceId, own] of byWorkspace(told)) {
    await recordOne(deps, workspaceId, own);
  }
}

async function recordOne({ audit, transact }: Deps, workspaceId: string, events: TautanEvent[]): Promise<void> {
  for (let races = 0; ; races += 1) {
    try {
      return await transact(null, async (tx) => {
        let head = await audit.head(workspaceId, tx);
        const known = await audit.known(workspaceId, events.map((event) => entryOf(event, head)._id), tx); // prettier-ignore
        const entries: AuditEntry[] = [];
        for (const event of events) {
          const entry = entryOf(event, head);
          if (known.has(entry._id)) continue;
          known.add(entry._id);
          entries.push(entry);
          head = { _id: workspaceId, seq: entry.seq, hash: entry.hash };
        }
        if (entries.length) await audit.append(entries, tx);
      });
    } catch (error) {
      // Another replica has just added the same place of the chain.
      if (!isDuplicateKey(error) || races === MOST_RACES) throw error;
    }
  }
}

function byWorkspace(events: TautanEvent[]): Map<string, TautanEvent[]> {
  const groups = new Map<string, TautanEvent[]>();
  for (const event of events) groups.set(event.workspaceId, [...(groups.get(event.workspaceId) ?? []), event]);
  return groups;
}
