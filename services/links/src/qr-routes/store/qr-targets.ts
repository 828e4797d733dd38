import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { QrTarget } from '../domain/qr-target.js';
import { claiming } from '../../store/collision.js';
import { pullTag } from '../../store/pull-tag.js';

/** Targets of QR codes. Only `anyById` returns the tombstones of deleted ones. */
export class QrTargetStore {
  constructor(private readonly model: Model<QrTarget>) {}

  /** Returns a QR code of any workspace, including deleted ones. */
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
    await claiming('qr target', driverCollection(this.model).insertMany(targets, { session }));
  }

  async update(workspaceId: string, id: string, set: Partial<QrTarget>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: id, workspaceId }, { $set: set }, { session });
  }

  /** Removes a tag from up to `limit` QR codes. Returns the number of codes that had it. */
  dropTag(workspaceId: string, tagId: string, limit: number): Promise<number> {
    return pullTag(this.model, workspaceId, tagId, limit);
  }
}
