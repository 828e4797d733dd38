import { driverCollection } from '@tautan/kit/mongo';
import type { Transaction } from '@tautan/kit/mongo';
import { planNames, type PlanName } from '@tautan/proto';
import type { Workspace } from '../domain/workspace.js';
import { effectivePlan, planSourcesOf } from '../../plans/domain/workspace-plan.js';
import { memberCounterId } from '../../store/member-usage.js';
import type { Models, StoredWorkspace } from '../../store/models.js';

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

/** The stored workspaces. A workspace without its own plan has the default plan. */
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
      // Create the counters now, because only existing counters can be updated in bulk.
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

    /**
     * Returns up to `limit` workspaces that are older than the workspace with the id `after`, newest first. If `after`
     * is empty, starts with the newest workspace.
     */
    async page(after: string, limit: number): Promise<Workspace[]> {
      const found = await workspaces
        .find(after === '' ? {} : { _id: { $lt: after } })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /** Returns workspaces by their ids at the identity provider. */
    async findProvided(externalIds: string[], { session }: Transaction): Promise<Workspace[]> {
      const found = await workspaces
        .find({ externalId: { $in: externalIds } })
        .session(session)
        .lean<StoredWorkspace[]>();
      return found.map(read);
    },

    /**
     * Returns up to `limit` workspaces that have no plan of their own, and whose last emitted plan is not the default.
     * Also returns records of earlier software versions that do have a plan of their own, because these records store
     * no plan sources.
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

    /** Writes the sources of the plan, the plan that events report (`announcedPlan`), and `planVersion`. */
    async writePlan(workspace: Workspace, { session }: Transaction): Promise<void> {
      const change = { $set: planFields(workspace), $unset: { planAsOf: 1 as const } };
      await workspaces.updateOne({ _id: workspace._id }, change, { session });
    },

    async rename(id: string, name: string, asOf: Date, { session }: Transaction): Promise<void> {
      await workspaces.updateOne({ _id: id }, { $set: { name, asOf } }, { session });
    },

    /**
     * Causes a write conflict between concurrent transactions that lock the same workspace. Protects invariants across
     * the documents of the workspace.
     */
    async lock(id: string, { session }: Transaction): Promise<void> {
      await workspaces.updateOne({ _id: id }, { $inc: { holds: 1 } }, { session });
    },

    /** Adds to the counts of several workspaces, by id. Deleted workspaces are ignored. */
    async addCounts(
      sums: Map<string, { linkCount?: number; qrCodeCount?: number }>,
      { session }: Transaction,
    ): Promise<void> {
      // Sorted by id, so that concurrent writers conflict at the first document that they have in common.
      const writes = [...sums]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([_id, $inc]) => ({ updateOne: { filter: { _id }, update: { $inc } } }));
      if (writes.length) await driverCollection(workspaces).bulkWrite(writes, { session });
    },
  };
};

const planFields = ({ planSources, announcedPlan, planVersion }: Workspace) => ({
  plan: announcedPlan,
  planVersion,
  givenPlan: planSources.given,
  subscription: planSources.subscription,
});
