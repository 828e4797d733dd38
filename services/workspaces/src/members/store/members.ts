import type { Transaction } from '@tautan/kit/mongo';
import type { Member } from '../domain/member.js';
import type { Models } from '../../store/models.js';

export type MemberStore = ReturnType<typeof memberStore>;

/** Time for which the end of a membership is stored. Longer than any call to the provider. */
const ENDED_RETENTION_MS = 3_600_000;

export const memberStore = ({ members, endedMemberships }: Models) => ({
  /** Returns the memberships of a user, oldest first, without invitations. */
  membershipsOf: (userId: string): Promise<Member[]> =>
    members.find({ userId, status: 'active' }).sort({ createdAt: 1, _id: 1 }).lean<Member[]>(),

  /** Returns a user's membership in a workspace. Ignores invitations. */
  findMembership: (workspaceId: string, userId: string, tx?: Transaction): Promise<Member | null> =>
    members
      .findOne({ workspaceId, userId, status: 'active' })
      .session(tx?.session ?? null)
      .lean<Member>(),

  find: (id: string): Promise<Member | null> => members.findById(id).lean<Member>(),

  findByEmail: (workspaceId: string, email: string, tx?: Transaction): Promise<Member | null> =>
    members
      .findOne({ workspaceId, email })
      .session(tx?.session ?? null)
      .lean<Member>(),

  /** Returns all members and invitations of a workspace, oldest first. */
  ofWorkspace: (workspaceId: string, tx?: Transaction): Promise<Member[]> =>
    members
      .find({ workspaceId })
      .sort({ createdAt: 1, _id: 1 })
      .session(tx?.session ?? null)
      .lean<Member[]>(),

  /** Returns the memberships of a user, and all memberships and invitations with this email. */
  ofUser: (userId: string, email: string, tx?: Transaction): Promise<Member[]> =>
    members
      .find({ $or: [{ userId }, { email }] })
      .session(tx?.session ?? null)
      .lean<Member[]>(),

  /** Returns the owners of these workspaces, including invited owners. */
  ownersOf: (workspaceIds: string[]): Promise<Member[]> =>
    members.find({ workspaceId: { $in: workspaceIds }, role: 'owner' }).lean<Member[]>(),

  /** Returns the number of active members by workspace; workspaces without any are omitted. */
  async counts(workspaceIds: string[]): Promise<Map<string, number>> {
    const rows = await members.aggregate<{ _id: string; count: number }>([
      { $match: { workspaceId: { $in: workspaceIds }, status: 'active' } },
      { $group: { _id: '$workspaceId', count: { $sum: 1 } } },
    ]);
    return new Map(rows.map(({ _id, count }) => [_id, count]));
  },

  async insert(rows: Member[], { session }: Transaction): Promise<void> {
    if (rows.length) await members.insertMany(rows, { session });
  },

  async write(rows: Member[], { session }: Transaction): Promise<void> {
    const writes = rows.map(({ _id, ...fields }) => ({ updateOne: { filter: { _id }, update: { $set: fields } } }));
    if (writes.length) await members.bulkWrite(writes, { session });
  },

  /** Replaces the emails of members with placeholders, so that members can swap emails in the writes that follow. */
  async freeEmails(ids: string[], { session }: Transaction): Promise<void> {
    const writes = ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $set: { email: _id } } } }));
    if (writes.length) await members.bulkWrite(writes, { session });
  },

  /**
   * Ensures that a user's membership exists until the end of the transaction: this write conflicts with a concurrent
   * removal. Returns false if the user has no membership.
   */
  async lock(workspaceId: string, userId: string, { session }: Transaction): Promise<boolean> {
    const filter = { workspaceId, userId, status: 'active' as const };
    const { matchedCount } = await members.updateOne(filter, { $inc: { holds: 1 } }, { session });
    return matchedCount === 1;
  },

  /**
   * Removes members and stores `asOf` as the time at which their memberships ended, so that the provider's response to
   * an earlier query does not restore them.
   */
  async end(rows: Member[], asOf: Date, { session }: Transaction): Promise<void> {
    if (rows.length === 0) return;
    await members.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { session });
    const $set = { asOf, expireAt: new Date(asOf.getTime() + ENDED_RETENTION_MS) };
    const writes = rows.map(({ workspaceId, email }) => ({
      updateOne: { filter: { _id: `${workspaceId}/${email}` }, update: { $set }, upsert: true },
    }));
    await endedMemberships.bulkWrite(writes, { session });
  },

  /**
   * Returns those of `rows` whose membership did not end after `readAt`, the time of the query to the provider.
   * Includes memberships that ended at `readAt` itself: the same response ended them and now adds them again.
   */
  async notEndedAfter(readAt: Date, rows: Member[], { session }: Transaction): Promise<Member[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ workspaceId, email }) => `${workspaceId}/${email}`);
    const ended = await endedMemberships
      .find({ _id: { $in: ids }, asOf: { $gt: readAt } })
      .session(session)
      .lean<{ _id: string }[]>();
    const endedIds = new Set(ended.map(({ _id }) => _id));
    return rows.filter((_row, i) => !endedIds.has(ids[i]!));
  },

  /** Returns the number of workspaces that a user owns. */
  countOwned: (userId: string, { session }: Transaction): Promise<number> =>
    members.countDocuments({ userId, status: 'active', role: 'owner' }).session(session),

  /** Returns the number of workspaces that a user belongs to. */
  countOf: (userId: string, { session }: Transaction): Promise<number> =>
    members.countDocuments({ userId, status: 'active' }).session(session),
});
