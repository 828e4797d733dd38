import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { QrCodeData } from '../domain/qr-route.js';
import { detectCollision } from '../../store/collision.js';
import { pullTag } from '../../store/pull-tag.js';

/** Data of QR codes. Only `anyById` returns the tombstones of deleted ones. */
export class QrCodeDataStore {
  constructor(private readonly model: Model<QrCodeData>) {}

  /** Returns a QR code of any workspace, or its tombstone if the code was deleted. */
  anyById(id: string, session: ClientSession | null = null): Promise<QrCodeData | null> {
    return this.model.findOne({ _id: id }).session(session).lean<QrCodeData>().exec();
  }

  byIds(workspaceId: string, ids: string[]): Promise<QrCodeData[]> {
    return this.model
      .find({ _id: { $in: ids }, workspaceId, purgeAt: null })
      .lean<QrCodeData[]>()
      .exec();
  }

  /** Rejects with a collision of kind `QR code` if an id is in use. */
  async insert(codes: QrCodeData[], session: ClientSession): Promise<void> {
    await detectCollision('QR code', driverCollection(this.model).insertMany(codes, { session }));
  }

  async update(workspaceId: string, id: string, set: Partial<QrCodeData>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: id, workspaceId }, { $set: set }, { session });
  }

  /** Removes a tag from up to `limit` QR codes. Returns the number of QR codes from which the tag was removed. */
  dropTag(workspaceId: string, tagId: string, limit: number): Promise<number> {
    return pullTag(this.model, workspaceId, tagId, limit);
  }
}
