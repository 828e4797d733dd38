import { driverCollection, bytesOf } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import type { Models } from './models.js';

/** A stored logo. Only `usedAt` changes. */
export interface Logo {
  /** lgo_… */
  _id: string;
  workspaceId: string;
  /** PNG. */
  content: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  /** Hash of the uploaded file. */
  sha256: string;
  createdAt: Date;
  /** When it was uploaded, or last known to be used by a QR code. */
  usedAt: Date;
}

/**
 * The number of uploads of a workspace. Concurrent uploads conflict on this document, so that the maximum number of
 * logos is never exceeded.
 */
export interface LogoUploads {
  /** Workspace id. */
  _id: string;
  uploads: number;
}

/** Logos. Methods with a `workspaceId` are limited to that workspace. */
export class LogoStore {
  private readonly model: Model<Logo>;
  readonly #uploads: Model<LogoUploads>;

  constructor({ logos, logoUploads }: Pick<Models, 'logos' | 'logoUploads'>) {
    this.model = logos;
    this.#uploads = logoUploads;
  }

  async byId(workspaceId: string, id: string): Promise<Logo | null> {
    return fromStored(await this.model.findOne({ _id: id, workspaceId }).lean<Logo>().exec());
  }

  /** Returns the logo that was created from the file with this SHA-256. */
  async bySource(workspaceId: string, sha256: string): Promise<Logo | null> {
    return fromStored(await this.model.findOne({ workspaceId, sha256 }).lean<Logo>().exec());
  }

  async exists(workspaceId: string, id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id, workspaceId })) !== null;
  }

  /** Returns whether any workspace has a logo with this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  /**
   * Inserts a logo unless the workspace already has `max` logos; returns whether it was inserted. Rejects with a
   * duplicate key error if the workspace has a logo from the same file.
   */
  async insert(logo: Logo, max: number, session: ClientSession): Promise<boolean> {
    const { workspaceId } = logo;
    if ((await this.model.countDocuments({ workspaceId }).session(session)) >= max) return false;
    await this.#uploads.updateOne({ _id: workspaceId }, { $inc: { uploads: 1 } }, { session, upsert: true });
    await driverCollection(this.model).insertOne(logo, { session });
    return true;
  }

  /**
   * Sets the time of the last use of logos; returns how many of them exist. Conflicts with transactions that delete one
   * of them.
   */
  async touch(workspaceId: string, ids: string[], usedAt: Date, session: ClientSession): Promise<number> {
    const { matchedCount } = await this.model.updateMany({ _id: { $in: ids }, workspaceId }, { usedAt }, { session });
    return matchedCount;
  }

  /** Sets the time of the last use of logos that were stored before `usedAt` existed. */
  async touchUndated(usedAt: Date): Promise<void> {
    await this.model.updateMany({ usedAt: null }, { usedAt });
  }

  /**
   * Returns up to `limit` logos of any workspace that were last used at `time` or before, least recently used first.
   */
  usedBefore(time: Date, limit: number): Promise<Pick<Logo, '_id' | 'workspaceId'>[]> {
    return this.model
      .find({ usedAt: { $lte: time } })
      .sort({ usedAt: 1 })
      .limit(limit)
      .select({ workspaceId: 1 })
      .lean<Pick<Logo, '_id' | 'workspaceId'>[]>()
      .exec();
  }

  /** Deletes a logo unless it was used after a time; returns whether it was deleted. */
  async deleteUsedBefore(workspaceId: string, id: string, time: Date, session: ClientSession): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, workspaceId, usedAt: { $lte: time } }, { session });
    return deletedCount === 1;
  }
}

const fromStored = (stored: Logo | null): Logo | null => stored && { ...stored, content: bytesOf(stored.content) };
