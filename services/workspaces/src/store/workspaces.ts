import type { Transaction } from '@tautan/kit/mongo';
import { planNames, type PlanName } from '@tautan/proto';
import type { Workspace } from '../domain/workspace.js';
import { effectivePlan, planSourcesOf } from '../domain/workspace-plan.js';
import { memberCounterId } from './member-usage.js';
import type { Models, StoredWorkspace } from './models.js';

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

/** Workspaces; those without a plan of their own are on the default plan. */
export const workspaceStore = ({ workspaces, usageCounters }: Models, defaultPlan: PlanName) => {
  const read = (stored: StoredWorkspace): Workspace => {
    const { _id, externalId, name, linkCount, qrCodeCount, asOf, createdAt, planVersion = 0 } = stored;
    const planSources = planSourcesOf(stored);
    return {
      _id,
      ...(externalId !== undefined && { externalId }),
      name,
      plan: effectivePlan(planSources, defaultPlan),
      planSources,
      planVersion,
      announcedPlan: stored.plan,
      linkCount,
      qrCodeCount,
      asOf,
      createdAt,
    };
  };

  return {
    async insert(rows: Workspace[], { session }: Transaction): Promise<void> {
      const stored = rows.map((workspace) => {
        const { planSources: _sources, announcedPlan: _announced, ...fields } = workspace;
        return { ...fields, ...planFields(workspace) };
      });
      if (rows.length === 0) return;
      await workspaces.insertMany(stored, { session });
      // Nobody belongs to a new workspace yet. Counters that exist are changed many at a time.
      const counters = rows.map(({ _id }) => ({ _id: memberCounterId(_id), used: 0 }));
      await usageCounters.insertMany(counters, { session });
    },

    async find(id: string, tx?: Transaction): Promise<Workspace | null> {
      const found = await workspaces
        .findById(id)
        .session(tx?.session ?? null)
        .lean<StoredWorkspace>();
      return found && read(found);
    },

    async findMany(ids: string[], tx?: Transaction): Promise<Workspace[]> {
      const found = await workspaces
        .find({ _id: { $in: ids } })
        .session(tx?.session ?? null)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /** Workspaces behind an id (empty: all), newest first. */
    async page(after: string, limit: number): Promise<Workspace[]> {
      const found = await workspaces
        .find(after === '' ? {} : { _id: { $lt: after } })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /** By their ids at the identity provider. */
    async findProvided(externalIds: string[], { session }: Transaction): Promise<Workspace[]> {
      const found = await workspaces
        .find({ externalId: { $in: externalIds } })
        .session(session)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /**
     * Up to `limit` workspaces without a plan of their own for which another than the default plan was announced, and
     * records of earlier versions whose plan is not the default.
     */
    async findUnannounced(limit: number, { session }: Transaction): Promise<Workspace[]> {
      const plan = { $in: planNames.filter((name) => name !== defaultPlan) };
      const found = await workspaces
        .find({ plan, givenPlan: null, 'subscription.plan': null })
        .limit(limit)
        .session(session)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /** Writes what decides the plan, and what was announced. */
    async writePlan(workspace: Workspace, { session }: Transaction): Promise<void> {
      const change = { $set: planFields(workspace), $unset: { planAsOf: 1 as const } };
      await workspaces.updateOne({ _id: workspace._id }, change, { session });
    },

    async rename(id: string, name: string, asOf: Date, { session }: Transaction): Promise<void> {
      await workspaces.updateOne({ _id: id }, { $set: { name, asOf } }, { session });
    },

    /** Makes concurrent transactions on a workspace conflict, so that a rule over several documents of it holds. */
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
  };
};

const planFields = ({ planSources, announcedPlan, planVersion }: Workspace) => ({
  plan: announcedPlan,
  planVersion,
  givenPlan: planSources.given,
  subscription: planSources.subscription,
});
