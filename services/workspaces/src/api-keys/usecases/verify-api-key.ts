import { fail } from '@tautan/kit';
import { hashApiKey, isWellFormedApiKey } from '@tautan/proto';
import { shouldRecordUse, type ApiKey } from '../domain/api-key.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { WorkspaceStore } from '../../store/index.js';

interface Deps {
  workspaces: WorkspaceStore;
  apiKeys: ApiKeyStore;
  /** Records the use of a key in the background. */
  recordUse: (id: string, at: Date) => void;
  now: () => Date;
}

/**
 * Returns the key and its workspace. Throws UNAUTHENTICATED with the same message for a malformed, unknown or revoked
 * key, and for a key of a deleted workspace.
 */
export async function verifyApiKey(
  { workspaces, apiKeys, recordUse, now }: Deps,
  { key }: { key: string },
): Promise<{ apiKey: ApiKey; workspace: Workspace }> {
  const refused = fail('UNAUTHENTICATED', 'The API key is invalid.');
  // Reject a malformed key or a wrong checksum without a database query.
  if (!isWellFormedApiKey(key)) throw refused;
  const apiKey = await apiKeys.findByHash(hashApiKey(key));
  if (!apiKey || apiKey.revokedAt) throw refused;
  const workspace = await workspaces.find(apiKey.workspaceId);
  if (!workspace) throw refused;
  const at = now();
  if (shouldRecordUse(apiKey.lastUsedAt, at)) recordUse(apiKey._id, at);
  return { apiKey, workspace };
}
