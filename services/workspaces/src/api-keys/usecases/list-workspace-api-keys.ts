import { fail } from '@tautan/kit';
import type { ApiKey } from '../domain/api-key.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { WorkspaceStore } from '../../store/index.js';

/** Returns the unrevoked keys of a workspace, for operators. Throws NOT_FOUND for an unknown workspace. */
export async function listWorkspaceApiKeys(
  { apiKeys, workspaces }: { apiKeys: ApiKeyStore; workspaces: WorkspaceStore },
  { workspaceId }: { workspaceId: string },
): Promise<ApiKey[]> {
  if (!(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'No workspace with this id.');
  return apiKeys.ofWorkspace(workspaceId);
}
