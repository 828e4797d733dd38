import type { Principal } from '@tautan/kit';
import { monthOf } from '@tautan/plans/usage';
import type { ApiDeps } from '../../usecase-deps.js';

/** Returns the workspace's usage of the limits that this service counts: links and clicks this month, and domains. */
export async function getUsage(
  { usage, clickUsage, now }: Pick<ApiDeps, 'usage' | 'clickUsage' | 'now'>,
  { workspaceId }: Principal,
): Promise<Record<string, number>> {
  const at = now();
  const [used, clicks] = await Promise.all([usage.read(workspaceId, at), clickUsage.read([workspaceId], monthOf(at))]);
  return { ...used, clicks: clicks.get(workspaceId)! };
}
