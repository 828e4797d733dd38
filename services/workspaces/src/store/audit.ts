import { bytesOf, type Transaction } from '@tautan/kit/mongo';
import { firstIdAt } from '@tautan/kit';
import { actionsWith, FIRST_HASH, type AuditEntry, type AuditFilter, type AuditHead } from '../domain/audit.js';
import type { Models } from './models.js';

export type AuditStore = ReturnType<typeof auditStore>;

/** A transaction, or null for a look outside of any. */
type Session = { session: Transaction['session'] | null };

/** Entries are added and read; nothing here changes or removes one. */
export const auditStore = ({ audit, auditHeads }: Models) => ({
  /** Those of the ids that are there, of entries of one workspace. */
  async known(workspaceId: string, ids: string[], { session }: Session): Promise<Set<string>> {
    const found = await audit
      .find({ workspaceId, _id: { $in: ids } }, { _id: 1 })
      .session(session)
      .lean();
    return new Set(found.map(({ _id }) => _id));
  },

  async head(workspaceId: string, { session }: Session): Promise<AuditHead> {
    const head = await auditHeads.findById(workspaceId).session(session).lean<AuditHead>();
    return head ? { ...head, hash: bytesOf(head.hash) } : { _id: workspaceId, seq: 0, hash: FIRST_HASH };
  },

  /** Adds entries of one workspace that follow on its head. */
  async append(entries: AuditEntry[], { session }: Transaction): Promise<void> {
    const { workspaceId, seq, hash } = entries.at(-1)!;
    await auditHeads.updateOne({ _id: workspaceId }, { $set: { seq, hash } }, { session, upsert: true });
    await audit.insertMany(entries, { session });
  },

  /**
   * Entries before one, newest first: their ids carry the time of their events, which may reach the chain in another
   * order.
   */
  page(filter: AuditFilter, before: string | undefined, limit: number): Promise<AuditEntry[]> {
    return audit.find(queryOf(filter, before)).sort({ _id: -1 }).limit(limit).lean<AuditEntry[]>().exec();
  },

  /** All entries of a workspace as they follow each other. */
  async *walk(workspaceId: string): AsyncGenerator<AuditEntry> {
    for await (const entry of audit.find({ workspaceId }).sort({ seq: 1 }).lean<AuditEntry>().cursor()) {
      yield { ...entry, hash: bytesOf(entry.hash) };
    }
  },
});

/** How far the time in an entry's id may be from the entry's time, because a clock was set, milliseconds. */
const MAX_CLOCK_STEP_MS = 86_400_000;

function queryOf({ workspaceId, action, actor, target, from, to }: AuditFilter, before: string | undefined) {
  // The ids bound what is read; the times decide.
  const ids = {
    ...(from && { $gte: firstIdAt('aud', from.getTime() - MAX_CLOCK_STEP_MS) }),
    ...((before ?? to) && { $lt: earlier(before, to && firstIdAt('aud', to.getTime() + MAX_CLOCK_STEP_MS)) }),
  };
  return {
    workspaceId,
    // Single values, since a range of actions would have to be sorted in memory.
    ...(action !== undefined && { action: action.endsWith('.') ? { $in: actionsWith(action) } : action }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(target !== undefined && { 'target.id': target }),
    ...((from ?? to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lte: to }) } }),
    ...(Object.keys(ids).length > 0 && { _id: ids }),
  };
}

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && other !== undefined ? (one < other ? one : other) : (one ?? other);
