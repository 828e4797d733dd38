import type { ClientSession } from 'mongoose';
import { daysKept, type Retention } from '../domain/stats/retention.js';
import type { Models } from './models.js';

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

  /**
   * Notes the plan that a workspace was on at some time, unless a later one is known. Answers how many days its statistics
   * are to be kept from now on, where that is longer than what is stored of it was dated by.
   */
  async note(workspaceId: string, plan: string, at: Date): Promise<number | undefined> {
    await this.#plans.updateOne({ _id: workspaceId }, { $setOnInsert: { plan: 'other', asOf: new Date(0), datedBy: 'other' } }, { upsert: true }); // prettier-ignore
    await this.#plans.updateOne({ _id: workspaceId, asOf: { $lt: at } }, { $set: { plan, asOf: at } });
    const known = await this.#plans.findById(workspaceId).lean();
    const days = daysKept(this.retention, known!.plan);
    return days > daysKept(this.retention, known!.datedBy) ? days : undefined;
  }

  /** Notes that what is stored of a workspace is dated by its plan. */
  async noteDated(workspaceId: string): Promise<void> {
    await this.#plans.collection.updateOne({ _id: workspaceId as never }, [{ $set: { datedBy: '$plan' } }]);
  }
}
