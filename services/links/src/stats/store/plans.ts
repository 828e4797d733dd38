import { driverCollection } from '@tautan/kit/mongo';
import { parsePlanName, type PlanName } from '@tautan/proto';
import type { ClientSession } from 'mongoose';
import { retentionDays, type Retention } from '../domain/retention.js';
import type { Models } from '../../store/models.js';

/** Returns the retention of a workspace's statistics, in days. */
export type RetentionDaysOf = (workspaceId: string) => number;

/** The plans of workspaces as reported by events, and the retention of statistics by plan. */
export class PlanStore {
  readonly #plans: Models['workspacePlans'];

  constructor(
    { workspacePlans }: Pick<Models, 'workspacePlans'>,
    private readonly retention: Retention,
  ) {
    this.#plans = workspacePlans;
  }

  /** Returns the retention of the workspaces' statistics, as seen by the session. */
  async retentionDays(workspaceIds: string[], session: ClientSession): Promise<RetentionDaysOf> {
    const found = await this.#plans.find({ _id: { $in: workspaceIds } }, null, { session, lean: true });
    const plans = new Map(found.map(({ _id, plan }) => [_id, plan]));
    return (workspaceId) => retentionDays(this.retention, plans.get(workspaceId));
  }

  /** Returns the known plans of workspaces. */
  async plansOf(workspaceIds: string[]): Promise<Map<string, PlanName>> {
    const found = await this.#plans.find({ _id: { $in: workspaceIds } }).lean();
    return new Map(
      found.flatMap(({ _id, plan }) => (parsePlanName(plan) ? [[_id, parsePlanName(plan)!] as const] : [])),
    );
  }

  /**
   * Records the plan of a workspace as of `version` (its `planVersion`), unless a newer version is known. If
   * the expiry of the workspace's stored statistics has to be extended, returns the retention of the newest known plan,
   * in days, and the version of that plan.
   */
  async record(
    workspaceId: string,
    plan: PlanName,
    version: number,
  ): Promise<{ days: number; version: number } | undefined> {
    const unknown = { plan: 'other', version: -1, datedBy: 'other' };
    await this.#plans.updateOne({ _id: workspaceId }, { $setOnInsert: unknown }, { upsert: true });
    // Records written by earlier releases of this service have no `version`.
    const older = { $or: [{ version: { $lt: version } }, { version: { $exists: false } }] };
    // An upgrade sets `datedBy` to the plan that it replaces. Without this, if an upgrade follows a downgrade,
    // `datedBy` would still name the plan before the downgrade, and the expiry of the statistics written between the
    // downgrade and the upgrade might not be extended.
    const shorter = Object.keys(this.retention).filter(
      (name) => retentionDays(this.retention, name) < retentionDays(this.retention, plan),
    );
    await driverCollection(this.#plans).updateOne({ _id: workspaceId, plan: { $in: shorter }, ...older }, [
      { $set: { datedBy: '$plan', plan, version } },
    ]);
    await this.#plans.updateOne({ _id: workspaceId, ...older }, { $set: { plan, version } });
    const known = (await this.#plans.findById(workspaceId).lean())!;
    const days = retentionDays(this.retention, known.plan);
    return days > retentionDays(this.retention, known.datedBy) ? { days, version: known.version } : undefined;
  }

  /**
   * Records that the expiry of a workspace's stored statistics follows this version of its plan, unless a newer one
   * is known.
   */
  async recordRetentionApplied(workspaceId: string, version: number): Promise<void> {
    await driverCollection(this.#plans).updateOne({ _id: workspaceId, version }, [{ $set: { datedBy: '$plan' } }]);
  }
}
