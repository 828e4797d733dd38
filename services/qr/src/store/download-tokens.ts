import type { ClientSession, Model } from 'mongoose';

/** What a token that was given out stands for. */
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
    await this.model.collection.insertOne(token as never, { session });
  }

  /** Removes what earlier attempts of an operation created. */
  async removeOf(
    { operationId, workspaceId }: Pick<DownloadToken, 'operationId' | 'workspaceId'>,
    session: ClientSession,
  ): Promise<void> {
    await this.model.deleteMany({ operationId, workspaceId }, { session });
  }

  /** What a token stands for, unless it is over: its record may outlive it by a minute. */
  byHash(hash: string, now: Date): Promise<DownloadToken | null> {
    return this.model
      .findOne({ _id: hash, expiresAt: { $gt: now } })
      .lean<DownloadToken>()
      .exec();
  }
}
