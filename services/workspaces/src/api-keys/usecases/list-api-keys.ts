import { fail, type Principal } from '@tautan/kit';
import type { ApiKey } from '../domain/api-key.js';
import { manages } from '../../members/domain/member.js';
import type { ApiKeyStore } from '../store/api-keys.js';

/** Returns the unrevoked keys of the principal's workspace, newest first. Throws FORBIDDEN for roles below admin. */
export async function listApiKeys({ apiKeys }: { apiKeys: ApiKeyStore }, by: Principal): Promise<ApiKey[]> {
  if (!manages(by.role)) throw fail('FORBIDDEN', 'Only owners and admins can manage API keys.');
  return apiKeys.ofWorkspace(by.workspaceId);
}
