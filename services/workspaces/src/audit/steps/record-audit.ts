import type { Transaction } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import { entryOf, isAudited, type AuditEntry } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';

/**
 * Appends events to the audit logs of their workspaces, in order. Ignores types that are not audited. Set `repeated`
 * if some events may have been recorded before; without it, such an event causes a duplicate key error. A
 * concurrent append to the same log can also cause one.
 */
export async function recordAudit(
  { audit }: { audit: AuditStore },
  tx: Transaction,
  events: TautanEvent[],
  repeated: boolean,
): Promise<void> {
  const audited = events.filter(({ type }) => isAudited(type));
  if (audited.length === 0) return;
  const workspaceIds = [...new Set(audited.map(({ workspaceId }) => workspaceId))].sort();
  const heads = await audit.heads(workspaceIds, tx);
  const ids = audited.map((event) => entryOf(event, heads.get(event.workspaceId)!)._id);
  const known = repeated ? await audit.known(workspaceIds, ids, tx) : new Set<string>();
  const entries: AuditEntry[] = [];
  for (const event of audited) {
    const { workspaceId } = event;
    const entry = entryOf(event, heads.get(workspaceId)!);
    if (known.has(entry._id)) continue;
    known.add(entry._id);
    entries.push(entry);
    heads.set(workspaceId, { _id: workspaceId, seq: entry.seq, hash: entry.hash });
  }
  if (entries.length > 0) await audit.append(entries, [...heads.values()], tx);
}
