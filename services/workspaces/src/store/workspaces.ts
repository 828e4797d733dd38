import type { Transaction } from '@tautan/kit/mongo';
import type { Plan, Workspace } from '../domain/workspace.js';
import type { Models } from './models.js';

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

export const workspaceStore = ({ workspaces }: Models) => ({
  async insert(rows: Workspace[], { session }: Transaction): Promise<void> {
    if (rows.length) await workspaces.insertMany(rows, { session });
  },

  find: (id: string, tx?: Transaction): Promise<Workspace | null> =>
    workspaces
      .findById(id)
      .session(tx?.session ?? null)
      .lean<Workspace>(),

  findMany: (ids: string[], tx?: Transaction): Promise<Workspace[]> =>
    workspaces
      .find({ _id: { $in: ids } })
      .session(tx?.session ?? null)
      .lean<Workspace[]>(),

  /** By their ids at the identity provider. */
  findProvided: (externalIds: string[], { session }: Transaction): Promise<Workspace[]> =>
    workspaces
      .find({ externalId: { $in: externalIds } })
      .session(session)
      .lean<Workspace[]>(),

  async setPlan(id: string, plan: Plan, asOf: Date, { session }: Transaction): Promise<void> {
    await workspaces.updateOne({ _id: id }, { $set: { plan, planAsOf: asOf } }, { session });
  },

  /** Puts workspaces on plans, in this order; one that is known to be on a plan since later stays there. */
  async followPlans(told: { workspaceId: string; plan: Plan; at: Date }[]): Promise<void> {
    const writes = told.map(({ workspaceId, plan, at }) => ({
      updateOne: {
        filter: { _id: workspaceId, planAsOf: { $not: { $gt: at } } },
        update: { $set: { plan, planAsOf: at } },
      },
    }));
    if (writes.length) await workspaces.bulkWrite(writes);
  },

  async rename(id: string, name: string, asOf: Date, { session }: Transaction): Promise<void> {
    await workspaces.updateOne({ _id: id }, { $set: { name, asOf } }, { session });
  },

  /** Makes concurrent changes of a workspace's members meet, so that a rule over all of them holds. */
  async hold(id: string, { session }: Transaction): Promise<void> {
    await workspaces.updateOne({ _id: id }, { $inc: { holds: 1 } }, { session });
  },

  /** Adds to counts, by workspace. A workspace that is no more has none. */
  async count(
    sums: Map<string, { linkCount?: number; qrCodeCount?: number }>,
    { session }: Transaction,
  ): Promise<void> {
    const writes = [...sums].map(([_id, $inc]) => ({ updateOne: { filter: { _id }, update: { $inc } } }));
    if (writes.length) await workspaces.bulkWrite(writes, { session });
  },
});
