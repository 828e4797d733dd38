import { bytesOf } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { Models } from './models.js';

/** A logo as it is kept; it never changes. */
export interface Logo {
  /** lgo_… */
  _id: string;
  workspaceId: string;
  /** PNG. */
  content: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  /** Of the file that it was made from. */
  sha256: string;
  createdAt: Date;
  /** When it was uploaded, or when a QR code was last known to use it. */
  usedAt: Date;
}

/** How many logos a workspace has uploaded. Uploads conflict on this document, so that the maximum is exact. */
export interface LogoUploads {
  /** Id of the workspace. */
  _id: string;
  uploads: number;
}

/** Logos. The methods with a `workspaceId` keep to that workspace. */
export class LogoStore {
  private readonly model: Model<Logo>;
  readonly #uploads: Model<LogoUploads>;

  constructor({ logos, logoUploads }: Pick<Models, 'logos' | 'logoUploads'>) {
    this.model = logos;
    this.#uploads = logoUploads;
  }

  async byId(workspaceId: string, id: string): Promise<Logo | null> {
    return whole(await this.model.findOne({ _id: id, workspaceId }).lean<Logo>().exec());
  }

  /** The logo that was made from a file. */
  async bySource(workspaceId: string, sha256: string): Promise<Logo | null> {
    return whole(await this.model.findOne({ workspaceId, sha256 }).lean<Logo>().exec());
  }

  async exists(workspaceId: string, id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id, workspaceId })) !== null;
  }

  /** Whether any workspace has a logo of this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  /** Stores a logo unless the workspace has `max`; returns whether it did. Rejects with a duplicate key for a known file. */
  async insert(logo: Logo, max: number, session: ClientSession): Promise<boolean> {
    const { workspaceId } = logo;
    if ((await this.model.countDocuments({ workspaceId }).session(session)) >= max) return false;
    await this.#uploads.updateOne({ _id: workspaceId }, { $inc: { uploads: 1 } }, { session, upsert: true });
    await this.model.collection.insertOne(logo as never, { session });
    return true;
  }

  /**
   * Notes that logos are used at a time; returns how many of them exist. A transaction that deletes one of them conflicts
   * with this one.
   */
  async touch(workspaceId: string, ids: string[], usedAt: Date, session: ClientSession): Promise<number> {
    const { matchedCount } = await this.model.updateMany({ _id: { $in: ids }, workspaceId }, { usedAt }, { session });
    return matchedCount;
  }

  /** Dates logos that were stored before `usedAt` existed. */
  async touchUndated(usedAt: Date): Promise<void> {
    await this.model.updateMany({ usedAt: null }, { usedAt });
  }

  /** Logos of any workspace that no QR code was known to use after a time, oldest first. */
  usedBefore(time: Date, limit: number): Promise<Pick<Logo, '_id' | 'workspaceId'>[]> {
    return this.model
      .find({ usedAt: { $lte: time } })
      .sort({ usedAt: 1 })
      .limit(limit)
      .select({ workspaceId: 1 })
      .lean<Pick<Logo, '_id' | 'workspaceId'>[]>()
      .exec();
  }

  /** Deletes a logo unless it was used after a time; returns whether it did. */
  async deleteUsedBefore(workspaceId: string, id: string, time: Date, session: ClientSession): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, workspaceId, usedAt: { $lte: time } }, { session });
    return deletedCount === 1;
  }
}

const whole = (stored: Logo | null): Logo | null => stored && { ...stored, content: bytesOf(stored.content) };
