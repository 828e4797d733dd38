import type { Transaction } from '@tautan/kit/mongo';
import { LAST_USED_STEP_MS, type ApiKey } from '../domain/api-key.js';
import type { Models } from '../../store/models.js';

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

export const apiKeyStore = ({ apiKeys }: Models) => ({
  async insert(key: ApiKey, { session }: Transaction): Promise<void> {
    await apiKeys.insertMany([key], { session });
  },

  /** Replaces the secret of a key when its creation is retried, because the response with the first secret was lost. */
  async replaceSecret({ _id, prefix, hash }: ApiKey, { session }: Transaction): Promise<void> {
    await apiKeys.updateOne({ _id }, { $set: { prefix, hash } }, { session });
  },

  find: (id: string, { session }: Transaction): Promise<ApiKey | null> =>
    apiKeys.findById(id).session(session).lean<ApiKey>(),

  findByHash: (hash: Buffer): Promise<ApiKey | null> => apiKeys.findOne({ hash }).lean<ApiKey>(),

  /** Returns the unrevoked keys of a workspace, newest first. */
  ofWorkspace: (workspaceId: string): Promise<ApiKey[]> =>
    apiKeys.find({ workspaceId, revokedAt: null }).sort({ createdAt: -1, _id: -1 }).lean<ApiKey[]>(),

  /** Returns the number of unrevoked keys of a workspace. */
  count: (workspaceId: string, { session }: Transaction): Promise<number> =>
    apiKeys.countDocuments({ workspaceId, revokedAt: null }).session(session),

  /** Returns the unrevoked keys that a user minted in these workspaces. */
  mintedBy: (userId: string, workspaceIds: string[], { session }: Transaction): Promise<ApiKey[]> =>
    apiKeys
      .find({ workspaceId: { $in: workspaceIds }, 'createdBy.type': 'user', 'createdBy.id': userId, revokedAt: null })
      .session(session)
      .lean<ApiKey[]>(),

  /** Revokes a key. Returns false if it was already revoked. */
  async revoke(id: string, at: Date, { session }: Transaction): Promise<boolean> {
    const { modifiedCount } = await apiKeys.updateOne(
      { _id: id, revokedAt: null },
      { $set: { revokedAt: at } },
      { session },
    );
    return modifiedCount === 1;
  },

  /** Records a use, unless one was recorded less than `LAST_USED_STEP_MS` ago (by any replica). */
  async recordUse(id: string, at: Date): Promise<void> {
    const before = new Date(at.getTime() - LAST_USED_STEP_MS);
    await apiKeys.updateOne(
      { _id: id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] },
      { $set: { lastUsedAt: at } },
    );
  },
});
