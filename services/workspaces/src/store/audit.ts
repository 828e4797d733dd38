import { bytesOf, type Transaction } from '@tautan/kit/mongo';
import { FIRST_HASH, type AuditEntry, type AuditHead } from '../domain/audit.js';
import type { Models } from './models.js';

export type AuditStore = ReturnType<typeof auditStore>;

/** A transaction, or null for a look outside of any. */
type Session = { session: Transaction['session'] | null };

/** Entries are added and read; nothing here changes or removes one. */
export const auditStore = ({ audit, auditHeads }: Models) => ({
  /** Those of the ids that are there. */
  async known(ids: string[], { session }: Session): Promise<Set<string>> {
    const found = await audit
      .find({ _id: { $in: ids } }, { _id: 1 })
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
   * order. `action` is whole, or a prefix that ends with a dot, or empty.
   */
  page(workspaceId: string, action: string, before: string | undefined, limit: number): Promise<AuditEntry[]> {
    const byAction =
      action === '' ? {} : { action: action.endsWith('.') ? { $gte: action, $lt: `${action}~` } : action };
    const older = before === undefined ? {} : { _id: { $lt: before } };
    return audit
      .find({ workspaceId, ...byAction, ...older })
      .sort({ _id: -1 })
      .limit(limit)
      .lean<AuditEntry[]>()
      .exec();
  },

  /** All entries of a workspace as they follow each other. */
  async *walk(workspaceId: string): AsyncGenerator<AuditEntry> {
    for await (const entry of audit.find({ workspaceId }).sort({ seq: 1 }).lean<AuditEntry>().cursor()) {
      yield { ...entry, hash: bytesOf(entry.hash) };
    }
  },

  /** The workspaces that have a log. */
  workspaces: (): Promise<string[]> => audit.distinct('workspaceId').exec(),
});
