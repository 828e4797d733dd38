import { fail, hashApiKey, isWellFormedApiKey } from '@tautan/kit';
import { isUseWorthNoting, type ApiKey } from '../domain/api-key.js';
import type { Workspace } from '../domain/workspace.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { WorkspaceStore } from '../store/workspaces.js';

interface Deps {
  workspaces: WorkspaceStore;
  apiKeys: ApiKeyStore;
  /** Notes the use of a key in the background. */
  noteUse: (id: string, at: Date) => void;
  now: () => Date;
}

/** For whom a key speaks. Throws UNAUTHENTICATED for a malformed, unknown or revoked key, in the same words. */
export async function verifyApiKey(
  { workspaces, apiKeys, noteUse, now }: Deps,
  { key }: { key: string },
): Promise<{ apiKey: ApiKey; workspace: Workspace }> {
  const refused = fail('UNAUTHENTICATED', 'The API key is not valid.');
  // A wrong checksum needs no look into the database.
  if (!isWellFormedApiKey(key)) throw refused;
  const apiKey = await apiKeys.findByHash(hashApiKey(key));
  if (!apiKey || apiKey.revokedAt) throw refused;
  const workspace = await workspaces.find(apiKey.workspaceId);
  if (!workspace) throw refused;
  const at = now();
  if (isUseWorthNoting(apiKey.lastUsedAt, at)) noteUse(apiKey._id, at);
  return { apiKey, workspace };
}
