import type { Transaction } from '@tautan/kit/mongo';
import { counterId, counterKey, UsageCounters } from '@tautan/plans/usage';
import type { Connection } from 'mongoose';
import type { Models } from './models.js';

/** Creates the counters of workspace members. Open invitations and invitations that are being sent count as members. */
export const memberCounters = ({ usageCounters, members, invitationReservations }: Models, connection: Connection) =>
  new UsageCounters(usageCounters, connection, {
    members: {
      monthly: false,
      count: async ({ workspaceId }, session) => {
        const joinedOrInvited = await members.countDocuments({ workspaceId }).session(session);
        return joinedOrInvited + (await invitationReservations.countDocuments({ workspaceId }).session(session));
      },
    },
  });

export type MemberUsage = ReturnType<typeof memberUsage>;

export const memberUsage = ({ usageCounters }: Models, counters: UsageCounters) => ({
  counters,

  /**
   * Adds to the member count of each workspace, regardless of the limit. Removals are negative. Call it in the
   * transaction that changes the members, before the change, because a missing counter is initialized with the current
   * number.
   */
  async add(counts: Map<string, number>, at: Date, { session }: Transaction): Promise<void> {
    if (counts.size === 0) return;
    const ids = [...counts.keys()].map(memberCounterId);
    const found = await usageCounters
      .find({ _id: { $in: ids } }, { _id: 1 })
      .session(session)
      .lean();
    const existing = new Set(found.map(({ _id }) => counterKey(_id).workspaceId));
    const writes = [...existing].map((id) => ({
      updateOne: { filter: { _id: memberCounterId(id) }, update: { $inc: { used: counts.get(id)! } } },
    }));
    if (writes.length) await usageCounters.bulkWrite(writes, { session });
    for (const [workspaceId, wanted] of counts) {
      if (existing.has(workspaceId)) continue;
      await counters.reserve(session, { workspaceId, limit: 'members', wanted, max: null, at });
    }
  },
});

/** Returns the id of the counter of a workspace's members. */
export const memberCounterId = (workspaceId: string): string => counterId({ workspaceId, limit: 'members' });
