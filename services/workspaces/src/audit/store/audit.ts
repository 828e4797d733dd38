import { driverCollection, bytesOf, eachRecord, type Transaction } from '@tautan/kit/mongo';
import { firstIdAt } from '@tautan/kit';
import { actionsWith, FIRST_HASH, type AuditEntry, type AuditFilter, type AuditHead } from '../domain/audit.js';
import type { Models } from '../../store/models.js';

export type AuditStore = ReturnType<typeof auditStore>;

/** A transaction, or `{ session: null }` to read outside of one. */
type Session = { session: Transaction['session'] | null };

/** Adds and reads entries. Has no method that changes or removes one. */
export const auditStore = ({ audit, auditHeads }: Models) => ({
  /** Returns which of the entry ids `ids` exist in the audit logs of the workspaces. */
  async known(workspaceIds: string[], ids: string[], { session }: Session): Promise<Set<string>> {
    const found = await audit
      .find({ workspaceId: { $in: workspaceIds }, _id: { $in: ids } }, { _id: 1 })
      .session(session)
      .lean();
    return new Set(found.map(({ _id }) => _id));
  },

  /** Returns the head of each workspace's chain, by workspace. */
  async heads(workspaceIds: string[], { session }: Session): Promise<Map<string, AuditHead>> {
    const found = await auditHeads
      .find({ _id: { $in: workspaceIds } })
      .session(session)
      .lean<AuditHead[]>();
    const stored = new Map(found.map((head) => [head._id, { ...head, hash: bytesOf(head.hash) }]));
    return new Map(workspaceIds.map((_id) => [_id, stored.get(_id) ?? { _id, seq: 0, hash: FIRST_HASH }]));
  },

  /** Appends entries to the chains of their workspaces, and sets the new heads of these chains. */
  async append(entries: AuditEntry[], heads: AuditHead[], { session }: Transaction): Promise<void> {
    const writes = heads.map(({ _id, seq, hash }) => ({
      updateOne: { filter: { _id }, update: { $set: { seq, hash } }, upsert: true },
    }));
    // Bypasses mongoose, which would cast and validate values that already have the right types.
    await driverCollection(auditHeads).bulkWrite(writes, { session });
    await driverCollection(audit).insertMany(entries, { session });
  },

  /**
   * Returns entries with ids before `before`, newest first. Ids contain the times of the events, so the order can
   * differ from that of the chain.
   */
  page(filter: AuditFilter, before: string | undefined, limit: number): Promise<AuditEntry[]> {
    return audit.find(queryOf(filter, before)).sort({ _id: -1 }).limit(limit).lean<AuditEntry[]>().exec();
  },

  /** Yields all entries of a workspace in chain order. */
  async *walk(workspaceId: string): AsyncGenerator<AuditEntry> {
    const entries = audit.find({ workspaceId }).sort({ seq: 1 }).lean<AuditEntry[]>();
    for await (const entry of eachRecord(entries)) yield { ...entry, hash: bytesOf(entry.hash) };
  },
});

/**
 * Maximum difference, in milliseconds, between the time in an entry's id and the entry's `createdAt`. They differ after
 * the clock of a process was set back, because the time in its ids never decreases.
 */
const MAX_CLOCK_STEP_MS = 86_400_000;

function queryOf({ workspaceId, action, actor, target, from, to }: AuditFilter, before: string | undefined) {
  // The range of ids narrows the index scan; the condition on `createdAt` is exact.
  const ids = {
    ...(from && { $gte: firstIdAt('aud', from.getTime() - MAX_CLOCK_STEP_MS) }),
    ...((before ?? to) && { $lt: earlier(before, to && firstIdAt('aud', to.getTime() + MAX_CLOCK_STEP_MS)) }),
  };
  return {
    workspaceId,
    // List the actions of a prefix: a range of actions would require sorting in memory.
    ...(action !== undefined && { action: action.endsWith('.') ? { $in: actionsWith(action) } : action }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(target !== undefined && { 'target.id': target }),
    ...((from ?? to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lte: to }) } }),
    ...(Object.keys(ids).length > 0 && { _id: ids }),
  };
}

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && other !== undefined ? (one < other ? one : other) : (one ?? other);
