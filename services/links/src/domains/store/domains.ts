import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { CustomDomain } from '../domain/custom-domain.js';
import { detectCollision } from '../../store/collision.js';

/** Time in milliseconds after which a domain that a replica claimed, but did not check, can be claimed again. */
const LEASE_MS = 60_000;

/** Custom domains. Every method except `existsAnywhere`, `failingSince` and `takeDue` is limited to one workspace. */
export class DomainStore {
  constructor(private readonly model: Model<CustomDomain>) {}

  /** Returns all domains, newest first. */
  list(workspaceId: string): Promise<CustomDomain[]> {
    return this.model.find({ workspaceId }).sort({ createdAt: -1, _id: -1 }).lean<CustomDomain[]>().exec();
  }

  byId(workspaceId: string, id: string, session: ClientSession | null = null): Promise<CustomDomain | null> {
    return this.model.findOne({ _id: id, workspaceId }).session(session).lean<CustomDomain>().exec();
  }

  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  count(workspaceId: string, session: ClientSession): Promise<number> {
    return this.model.countDocuments({ workspaceId }).session(session).exec();
  }

  /** Returns the number of unverified domains. */
  countPending(workspaceId: string, session: ClientSession): Promise<number> {
    const filter = { workspaceId, status: { $ne: 'verified' as const } };
    return this.model.countDocuments(filter).session(session).exec();
  }

  /** Returns those of the names that are verified domains of the workspace. */
  async verifiedNames(
    workspaceId: string,
    names: string[],
    session: ClientSession | null = null,
  ): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const found = await this.model
      .find({ workspaceId, name: { $in: names }, status: 'verified' })
      .session(session)
      .select({ name: 1 })
      .lean<Pick<CustomDomain, 'name'>[]>();
    return new Set(found.map(({ name }) => name));
  }

  /** Rejects with a collision of kind `domain` if the workspace already has the name, or the id is in use. */
  async insert(domain: CustomDomain, session: ClientSession): Promise<void> {
    await detectCollision('domain', driverCollection(this.model).insertOne(domain, { session }));
  }

  /**
   * Writes the result of a check, including that of its DNS lookup (`lastLookup`). Rejects with a collision of kind
   * `domain` if another workspace has verified the name.
   */
  async update(domain: CustomDomain, session: ClientSession): Promise<void> {
    const { _id, workspaceId, status, lastLookup, lastCheckedAt, lastError, verifiedAt, failingSince, nextCheckAt } =
      domain;
    const set = { status, lastLookup, lastCheckedAt, lastError, verifiedAt, failingSince, nextCheckAt };
    await detectCollision('domain', this.model.updateOne({ _id, workspaceId }, { $set: set }, { session }).exec());
  }

  async setPages({ _id, workspaceId, pages }: CustomDomain, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id, workspaceId }, { $set: { pages } }, { session });
  }

  /**
   * Adds to the link count of a verified domain. Returns false if the workspace has no such domain. Writing to the
   * domain makes the transaction conflict with one that deletes it.
   */
  async addToLinkCount(workspaceId: string, name: string, count: number, session: ClientSession): Promise<boolean> {
    const verified = { workspaceId, name, status: 'verified' } as const;
    const { matchedCount } = await this.model.updateOne(verified, { $inc: { linkCount: count } }, { session });
    return matchedCount === 1;
  }

  /** Decrements the link count of a domain, verified or not. */
  async decrementLinkCount(workspaceId: string, name: string, session: ClientSession): Promise<void> {
    await this.model.updateOne({ workspaceId, name }, { $inc: { linkCount: -1 } }, { session });
  }

  async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: id, workspaceId }, { session });
  }

  /**
   * Returns, for each failing verified domain of any workspace, the time of the check that first found wrong records.
   */
  async failingSince(): Promise<Date[]> {
    const failing = { status: 'verified' as const, failingSince: { $ne: null } };
    const found = await this.model
      .find(failing)
      .select({ failingSince: 1 })
      .lean<Pick<CustomDomain, 'failingSince'>[]>();
    return found.map(({ failingSince }) => failingSince!);
  }

  /**
   * Claims a verified domain (of any workspace) that is due for a check, so that no other replica checks it. Returns
   * null if none is due.
   */
  takeDue(now: Date): Promise<CustomDomain | null> {
    return this.model
      .findOneAndUpdate(
        { status: 'verified', nextCheckAt: { $lte: now } },
        { $set: { nextCheckAt: new Date(now.getTime() + LEASE_MS) } },
        { sort: { nextCheckAt: 1 }, returnDocument: 'after' },
      )
      .lean<CustomDomain>()
      .exec();
  }
}
