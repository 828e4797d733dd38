import { fail } from '@tautan/kit';
import { FIRST_HASH, hashOf } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';
import type { WorkspaceStore } from '../../store/index.js';

/** The result of an audit log check. */
export interface AuditReport {
  workspaceId: string;
  /** Number of valid entries before the first invalid or missing one. */
  entries: number;
  /**
   * The first invalid or missing entry; undefined if the chain is valid. For a missing entry, `id` is the id of the
   * next entry in the log, or null if there is none.
   */
  broken: { id: string | null; seq: number; reason: string } | undefined;
}

/**
 * Recomputes the hash chain of a workspace's audit log from its first entry. Detects whether an entry was changed,
 * removed, added or moved. Anybody who can write to the database can also forge a new chain: only a copy of the log
 * elsewhere reveals that. Throws NOT_FOUND for an unknown workspace without a log.
 */
export async function verifyAudit(
  { audit, workspaces }: { audit: AuditStore; workspaces: WorkspaceStore },
  { workspaceId }: { workspaceId: string },
): Promise<AuditReport> {
  const readHead = async () => (await audit.heads([workspaceId], { session: null })).get(workspaceId)!;
  let head = await readHead();
  let seq = 0;
  let previous: Buffer = FIRST_HASH;
  const broken = (id: string | null, at: number, reason: string): AuditReport => ({
    workspaceId,
    entries: seq,
    broken: { id, seq: at, reason },
  });
  for await (const entry of audit.walk(workspaceId)) {
    if (entry.seq !== seq + 1) return broken(entry._id, seq + 1, `entry ${seq + 1} is missing`);
    if (!hashOf(entry, previous).equals(entry.hash))
      return broken(entry._id, entry.seq, 'its hash does not match its content');
    // Entries can be appended while the log is read.
    if (entry.seq > head.seq) head = await readHead();
    if (entry.seq > head.seq || (entry.seq === head.seq && !entry.hash.equals(head.hash)))
      return broken(entry._id, entry.seq, 'it does not match the recorded end of the log');
    seq = entry.seq;
    previous = entry.hash;
  }
  if (head.seq === seq + 1) return broken(null, head.seq, `entry ${head.seq} is missing`);
  if (head.seq > seq) return broken(null, seq + 1, `entries ${seq + 1} to ${head.seq} are missing`);
  if (seq === 0 && !(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'No workspace with this id.');
  return { workspaceId, entries: seq, broken: undefined };
}
