import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { Link, Tag } from '../../links/domain/link.js';
import type { TagNames } from '../../links/domain/view.js';
import { detectCollision } from '../../store/collision.js';

/** Which count of a tag to update. */
export type TagCountField = 'linkCount' | 'qrCodeCount';

export class TagStore {
  constructor(private readonly model: Model<Tag>) {}

  /** Returns all tags, sorted by name. */
  list(workspaceId: string): Promise<Tag[]> {
    return this.model.find({ workspaceId }).sort({ nameKey: 1 }).lean<Tag[]>().exec();
  }

  byId(workspaceId: string, id: string, session: ClientSession | null = null): Promise<Tag | null> {
    return this.model.findOne({ _id: id, workspaceId }).session(session).lean<Tag>().exec();
  }

  byIds(workspaceId: string, ids: string[], session: ClientSession | null = null): Promise<Tag[]> {
    return this.model
      .find({ _id: { $in: ids }, workspaceId })
      .session(session)
      .lean<Tag[]>()
      .exec();
  }

  byKeys(workspaceId: string, nameKeys: string[], session: ClientSession | null = null): Promise<Tag[]> {
    return this.model
      .find({ workspaceId, nameKey: { $in: nameKeys } })
      .session(session)
      .lean<Tag[]>()
      .exec();
  }

  /** Returns the names of the tags of links or QR codes of a workspace, by tag id. */
  async namesOf(
    workspaceId: string,
    tagged: Pick<Link, 'tags'>[],
    session: ClientSession | null = null,
  ): Promise<TagNames> {
    const ids = [...new Set(tagged.flatMap(({ tags }) => tags))];
    if (ids.length === 0) return new Map();
    return new Map((await this.byIds(workspaceId, ids, session)).map(({ _id, name }) => [_id, name]));
  }

  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  count(workspaceId: string, session: ClientSession | null = null): Promise<number> {
    return this.model.countDocuments({ workspaceId }).session(session).exec();
  }

  /** Rejects with a collision of kind `tag` if a name is in use. */
  async insert(tags: Tag[], session: ClientSession): Promise<void> {
    await detectCollision('tag', driverCollection(this.model).insertMany(tags, { session }));
  }

  /**
   * Adds `counts`, which are keyed by tag id, to the link or QR code counts of tags. Updates the tags in the order of
   * their ids, so that concurrent writers conflict at the first tag that they share.
   */
  async addToCounts(
    workspaceId: string,
    counts: ReadonlyMap<string, number>,
    session: ClientSession,
    counted: TagCountField = 'linkCount',
  ): Promise<void> {
    const writes = [...counts]
      .filter(([, by]) => by !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([_id, by]) => ({ updateOne: { filter: { _id, workspaceId }, update: { $inc: { [counted]: by } } } }));
    if (writes.length) await driverCollection(this.model).bulkWrite(writes, { session, ordered: true });
  }

  /** Rejects with a collision of kind `tag` if the name is in use. */
  async rename({ _id, workspaceId, name, nameKey, updatedAt }: Tag, session: ClientSession): Promise<void> {
    const set = { name, nameKey, updatedAt };
    await detectCollision('tag', this.model.updateOne({ _id, workspaceId }, { $set: set }, { session }).exec());
  }

  async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: id, workspaceId }, { session });
  }
}
