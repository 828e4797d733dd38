import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { TagRemoval } from '../../store/models.js';

/** Deleted tags that some links or QR codes may still have. */
export class TagRemovalStore {
  constructor(private readonly model: Model<TagRemoval>) {}

  async begin(removal: TagRemoval, session: ClientSession): Promise<void> {
    await driverCollection(this.model).insertOne(removal, { session });
  }

  pending(limit: number): Promise<TagRemoval[]> {
    return this.model.find().sort({ _id: 1 }).limit(limit).lean<TagRemoval[]>().exec();
  }

  async finish(tagId: string): Promise<void> {
    await this.model.deleteOne({ _id: tagId });
  }
}
