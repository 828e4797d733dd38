import { fail, type Principal } from '@tautan/kit';
import type { ProviderDeps } from '../../usecase-deps.js';
import { describeWorkspace, describeWorkspaces, type DescribedWorkspace } from '../steps/describe-workspaces.js';
import { reconcileWorkspaces } from '../steps/reconcile-workspaces.js';
import { refreshMirror } from '../steps/refresh-mirror.js';

/**
 * Returns a user's workspaces from the mirror (this service's copy of the identity provider's records), newest first.
 * The mirror is first refreshed, unless the provider fails or does not respond in time. For an API key, returns the
 * key's own workspace.
 */
export async function listWorkspaces(
  deps: ProviderDeps,
  by: Principal,
  { credential }: { credential: string },
): Promise<DescribedWorkspace[]> {
  if (by.kind === 'api_key') {
    const own = await deps.workspaces.find(by.workspaceId);
    return own ? [await describeWorkspace(deps, own, { role: '', current: true })] : [];
  }
  const directory = deps.provider?.directory;
  if (directory) {
    const user = await deps.users.find(by.id);
    if (!user) throw fail('UNAUTHENTICATED', 'No user with this id.');
    await refreshMirror(deps.background, `memberships of ${user._id}`, async () => {
      const token = await deps.accessTokenOf(credential);
      const readAt = deps.now();
      const provided = await directory.listWorkspaces(token);
      await reconcileWorkspaces(deps, { by, user, provided, readAt });
    });
  }
  const memberships = await deps.members.membershipsOf(by.id);
  const roles = new Map(memberships.map(({ workspaceId, role }) => [workspaceId, role]));
  const workspaces = await deps.workspaces.findMany([...roles.keys()]);
  workspaces.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1));
  return describeWorkspaces(deps, workspaces, { roleIn: (id) => roles.get(id)!, currentId: by.workspaceId });
}
