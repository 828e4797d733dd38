import type { ClientSession, Model } from 'mongoose';
import type { QrTarget } from '../domain/qr-target.js';
import { claiming } from '../../store/collision.js';
import { pullTag } from '../../store/pull-tag.js';

/** What there is of QR codes. Those that were removed leave a trace, which only `anyById` shows. */
export class QrTargetStore {
  constructor(private readonly model: Model<QrTarget>) {}

  /** A QR code of any workspace, removed ones too. */
  anyById(id: string, session: ClientSession | null = null): Promise<QrTarget | null> {
    return this.model.findOne({ _id: id }).session(session).lean<QrTarget>().exec();
  }

  byIds(workspaceId: string, ids: string[]): Promise<QrTarget[]> {
    return this.model
      .find({ _id: { $in: ids }, workspaceId, purgeAt: null })
      .lean<QrTarget[]>()
      .exec();
  }

  /** Rejects with a collision over `qr target` when an id is in use. */
  async insert(targets: QrTarget[], session: ClientSession): Promise<void> {
    await claiming('qr target', this.model.collection.insertMany(targets as never[], { session }));
  }

  async update(workspaceId: string, id: string, set: Partial<QrTarget>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: id, workspaceId }, { $set: set }, { session });
  }

  /** Takes a tag off up to `atMost` QR codes. Answers how many had it. */
  dropTag(workspaceId: string, tagId: string, atMost: number): Promise<number> {
    return pullTag(this.model.collection, workspaceId, tagId, atMost);
  }
}
