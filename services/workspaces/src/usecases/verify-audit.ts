import { FIRST_HASH, hashOf } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';

/** What a look at a workspace's chain found; `broken` says what is wrong at the first entry that does not hold. */
export interface AuditVerdict {
  workspaceId: string;
  entries: number;
  broken: { id: string | null; seq: number; reason: string } | undefined;
}

/**
 * Computes the chain of a workspace's audit log anew, from its first entry to its end. Finds every entry that was changed,
 * removed, added or moved. Who can write to the database can also make a new chain: keep the last hash elsewhere against
 * that.
 */
export async function verifyAudit({ audit }: { audit: AuditStore }, workspaceId: string): Promise<AuditVerdict> {
  const head = await audit.head(workspaceId, { session: null });
  let seq = 0;
  let previous: Buffer = FIRST_HASH;
  const broken = (id: string | null, at: number, reason: string): AuditVerdict => ({ workspaceId, entries: seq, broken: { id, seq: at, reason } }); // prettier-ignore
  for await (const entry of audit.walk(workspaceId)) {
    if (entry.seq !== seq + 1) return broken(entry._id, seq + 1, `entry ${seq + 1} is missing`);
    if (!hashOf(entry, previous).equals(entry.hash))
      return broken(entry._id, entry.seq, 'its hash does not fit what it says');
    seq = entry.seq;
    previous = entry.hash;
  }
  if (head.seq > seq) return broken(null, seq + 1, `entries ${seq + 1} to ${head.seq} are missing`);
  return { workspaceId, entries: seq, broken: undefined };
}
