import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';

/** A download token of a QR code. */
export interface DownloadToken {
  /** SHA-256 of the token, hexadecimal. */
  _id: string;
  /** The operation that created it. */
  operationId: string;
  workspaceId: string;
  qrCodeId: string;
  expiresAt: Date;
}

export class DownloadTokenStore {
  constructor(private readonly model: Model<DownloadToken>) {}

  async insert(token: DownloadToken, session: ClientSession): Promise<void> {
    await driverCollection(this.model).insertOne(token, { session });
  }

  /** Removes the tokens that earlier attempts of an operation created. */
  async removeOf(
    { operationId, workspaceId }: Pick<DownloadToken, 'operationId' | 'workspaceId'>,
    session: ClientSession,
  ): Promise<void> {
    await this.model.deleteMany({ operationId, workspaceId }, { session });
  }

  /** Returns a token unless it has expired; its record may outlive it by a minute. */
  byHash(hash: string, now: Date): Promise<DownloadToken | null> {
    return this.model
      .findOne({ _id: hash, expiresAt: { $gt: now } })
      .lean<DownloadToken>()
      .exec();
  }
}
