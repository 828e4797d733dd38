import { fail, type Principal } from '@tautan/kit';
import type { ApiKey } from '../domain/api-key.js';
import { manages } from '../../members/domain/member.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { WorkspaceStore } from '../../store/index.js';

/** Returns the unrevoked keys of the principal's workspace, newest first. Throws FORBIDDEN below admin. */
export async function listApiKeys({ apiKeys }: { apiKeys: ApiKeyStore }, { by }: { by: Principal }): Promise<ApiKey[]> {
  if (!manages(by.role)) throw fail('FORBIDDEN', 'Only owners and admins can manage API keys.');
  return apiKeys.ofWorkspace(by.workspaceId);
}

/** Returns the unrevoked keys of any workspace, for operators. Throws NOT_FOUND for an unknown workspace. */
export async function listApiKeysOfWorkspace(
  { apiKeys, workspaces }: { apiKeys: ApiKeyStore; workspaces: WorkspaceStore },
  workspaceId: string,
): Promise<ApiKey[]> {
  if (!(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'No workspace with this id.');
  return apiKeys.ofWorkspace(workspaceId);
}
