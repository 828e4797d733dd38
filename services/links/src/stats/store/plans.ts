import { planNamed, type PlanName } from '@tautan/proto';
import type { ClientSession } from 'mongoose';
import { daysKept, type Retention } from '../domain/retention.js';
import type { Models } from '../../store/models.js';

/** Days that a workspace's statistics are kept. */
export type DaysKept = (workspaceId: string) => number;

/** The plans of workspaces, as far as events told them, and how long statistics are kept by them. */
export class PlanStore {
  readonly #plans: Models['workspacePlans'];

  constructor(
    { workspacePlans }: Pick<Models, 'workspacePlans'>,
    private readonly retention: Retention,
  ) {
    this.#plans = workspacePlans;
  }

  /** How long those workspaces' statistics are kept, at the moment that the session sees. */
  async daysKept(workspaceIds: string[], session: ClientSession): Promise<DaysKept> {
    const found = await this.#plans.find({ _id: { $in: workspaceIds } }, null, { session, lean: true });
    const plans = new Map(found.map(({ _id, plan }) => [_id, plan]));
    return (workspaceId) => daysKept(this.retention, plans.get(workspaceId));
  }

  /** The plans of workspaces, as far as they are known. */
  async plansOf(workspaceIds: string[]): Promise<Map<string, PlanName>> {
    const found = await this.#plans.find({ _id: { $in: workspaceIds } }).lean();
    return new Map(found.flatMap(({ _id, plan }) => (planNamed(plan) ? [[_id, planNamed(plan)!] as const] : [])));
  }

  /**
   * Records the plan of a workspace, unless a newer version is known. Returns how many days its statistics must be kept from
   * now on, where that is longer than their expiry was set by.
   */
  async record(workspaceId: string, plan: PlanName, version: number): Promise<number | undefined> {
    const unknown = { plan: 'other', version: -1, datedBy: 'other' };
    await this.#plans.updateOne({ _id: workspaceId }, { $setOnInsert: unknown }, { upsert: true });
    // Records of earlier versions of this service have no version.
    const older = { $or: [{ version: { $lt: version } }, { version: { $exists: false } }] };
    await this.#plans.updateOne({ _id: workspaceId, ...older }, { $set: { plan, version } });
    const known = await this.#plans.findById(workspaceId).lean();
    const days = daysKept(this.retention, known!.plan);
    return days > daysKept(this.retention, known!.datedBy) ? days : undefined;
  }

  /** Records that the expiry of a workspace's statistics was set by its plan. */
  async recordDated(workspaceId: string): Promise<void> {
    await this.#plans.collection.updateOne({ _id: workspaceId as never }, [{ $set: { datedBy: '$plan' } }]);
  }
}
