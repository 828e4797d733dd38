import type { ClientSession, Model } from 'mongoose';
import type { CustomDomain } from '../domain/custom-domain.js';
import { claiming } from '../../store/collision.js';

/** How long a look at a domain is one replica's business. */
const LEASE_MS = 60_000;

/** Custom domains. Every method but `existsAnywhere`, `failingSince` and `takeDue` keeps to one workspace. */
export class DomainStore {
  constructor(private readonly model: Model<CustomDomain>) {}

  /** All domains, newest first. */
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

  /** The number of domains that are not verified. */
  countPending(workspaceId: string, session: ClientSession): Promise<number> {
    const filter = { workspaceId, status: { $ne: 'verified' as const } };
    return this.model.countDocuments(filter).session(session).exec();
  }

  /** Those of some names that are verified domains of the workspace. */
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

  /** Rejects with a collision over `domain` when the workspace has the name, or the id is in use. */
  async insert(domain: CustomDomain, session: ClientSession): Promise<void> {
    await claiming('domain', this.model.collection.insertOne(domain as never, { session }));
  }

  /** Writes what looking at a domain changes. Rejects with a collision over `domain` when another workspace verified the name. */
  async update(domain: CustomDomain, session: ClientSession): Promise<void> {
    const { _id, workspaceId, status, look, lastCheckedAt, lastError, verifiedAt, failingSince, nextCheckAt } = domain;
    const set = { status, look, lastCheckedAt, lastError, verifiedAt, failingSince, nextCheckAt };
    await claiming('domain', this.model.updateOne({ _id, workspaceId }, { $set: set }, { session }).exec());
  }

  async setPages({ _id, workspaceId, pages }: CustomDomain, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id, workspaceId }, { $set: { pages } }, { session });
  }

  /**
   * Counts links that come to a verified domain. Answers false where the workspace has none of that name. Writing to the
   * domain makes the transaction meet one that removes the domain.
   */
  async addLinks(workspaceId: string, name: string, count: number, session: ClientSession): Promise<boolean> {
    const verified = { workspaceId, name, status: 'verified' } as const;
    const { matchedCount } = await this.model.updateOne(verified, { $inc: { linkCount: count } }, { session });
    return matchedCount === 1;
  }

  /** Counts a link that leaves a domain, verified or not. */
  async removeLink(workspaceId: string, name: string, session: ClientSession): Promise<void> {
    await this.model.updateOne({ workspaceId, name }, { $inc: { linkCount: -1 } }, { session });
  }

  async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: id, workspaceId }, { session });
  }

  /** Since when verified domains of any workspace fail their checks. */
  async failingSince(): Promise<Date[]> {
    const failing = { status: 'verified' as const, failingSince: { $ne: null } };
    const found = await this.model
      .find(failing)
      .select({ failingSince: 1 })
      .lean<Pick<CustomDomain, 'failingSince'>[]>();
    return found.map(({ failingSince }) => failingSince!);
  }

  /** Takes one verified domain of any workspace that is due for a look, so that no other replica does; null where none is. */
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
