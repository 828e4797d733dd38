import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { Link } from '../domain/link.js';
import { detectCollision } from '../../store/collision.js';
import { pullTag } from '../../store/pull-tag.js';

/** Links. Every method except `existsAnywhere`, `anyByIds` and `expire` is limited to one workspace. */
export class LinkStore {
  constructor(private readonly model: Model<Link>) {}

  byId(workspaceId: string, id: string, session: ClientSession | null = null): Promise<Link | null> {
    return this.model.findOne({ _id: id, workspaceId }).session(session).lean<Link>().exec();
  }

  bySlug(workspaceId: string, domain: string | null, slug: string): Promise<Link | null> {
    return this.model.findOne({ workspaceId, domain, slugKey: slug.toLowerCase() }).lean<Link>().exec();
  }

  byIds(workspaceId: string, ids: string[], session: ClientSession | null = null): Promise<Link[]> {
    return this.model
      .find({ _id: { $in: ids }, workspaceId })
      .session(session)
      .lean<Link[]>()
      .exec();
  }

  /** Returns the number of a workspace's links. */
  count(workspaceId: string): Promise<number> {
    return this.model.countDocuments({ workspaceId }).exec();
  }

  /** Returns whether any workspace has a link with this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  /** Rejects with a collision of kind `link` if an id or a slug is in use. */
  async insert(links: Link[], session: ClientSession): Promise<void> {
    await detectCollision('link', driverCollection(this.model).insertMany(links, { session }));
  }

  /** Rejects with a collision of kind `link` if the slug is in use. */
  async update(workspaceId: string, id: string, set: Partial<Link>, session: ClientSession): Promise<void> {
    await detectCollision('link', this.model.updateOne({ _id: id, workspaceId }, { $set: set }, { session }).exec());
  }

  /** Adds to the number of a link's QR codes, if the link exists. */
  async addToQrCodeCount(workspaceId: string, id: string, count: number, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: id, workspaceId }, { $inc: { qrCodeCount: count } }, { session });
  }

  async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: id, workspaceId }, { session });
  }

  /** Returns links of several workspaces by id. */
  anyByIds(workspaceIds: string[], ids: string[], session: ClientSession): Promise<Link[]> {
    return this.model
      .find({ _id: { $in: ids }, workspaceId: { $in: workspaceIds } })
      .session(session)
      .lean<Link[]>()
      .exec();
  }

  /** Marks links of several workspaces as expired. */
  async expire(workspaceIds: string[], ids: string[], now: Date, session: ClientSession): Promise<void> {
    const change = { $set: { status: 'expired' }, $max: { updatedAt: now } } as const;
    await this.model.updateMany({ _id: { $in: ids }, workspaceId: { $in: workspaceIds } }, change, { session });
  }

  /** Removes a tag from up to `limit` links. Returns the number of links that it was removed from. */
  dropTag(workspaceId: string, tagId: string, limit: number): Promise<number> {
    return pullTag(this.model, workspaceId, tagId, limit);
  }
}
