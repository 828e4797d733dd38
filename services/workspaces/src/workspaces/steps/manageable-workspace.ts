import { fail, type Principal } from '@tautan/kit';
import { assertUser, manages, type Member } from '../../members/domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { Directory, IdentityProvider } from '../../provider/identity-provider.js';
import type { MemberStore } from '../../store/index.js';
import type { WorkspaceStore } from '../store/workspaces.js';

type Deps = { workspaces: WorkspaceStore; members: MemberStore };

/**
 * Returns the principal's current workspace and membership. Use the role of the membership, because the role in the
 * principal may be stale. Throws PERSON_ONLY for an API key, NOT_FOUND for an unknown workspace, and FORBIDDEN for a
 * user who is not a member.
 */
export async function ownMembership(
  { workspaces, members }: Deps,
  by: Principal,
): Promise<{ workspace: Workspace; membership: Member }> {
  assertUser(by);
  const [workspace, membership] = await Promise.all([
    workspaces.find(by.workspaceId),
    members.findMembership(by.workspaceId, by.id),
  ]);
  if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
  if (!membership) throw notManager();
  return { workspace, membership };
}

/**
 * Returns the principal's current workspace if they may manage it. Throws like `ownMembership`, and FORBIDDEN for a role
 * below admin.
 */
export async function manageableWorkspace(deps: Deps, by: Principal): Promise<Workspace> {
  const { workspace, membership } = await ownMembership(deps, by);
  assertManages(membership);
  return workspace;
}

/** Throws FORBIDDEN if the role of the member is below admin. */
export function assertManages({ role }: Member): void {
  if (!manages(role)) throw notManager();
}

const notManager = () => fail('FORBIDDEN', 'Only the owner and admins can manage the workspace and its members.');

/**
 * Returns the provider's directory and the id of a workspace in it; undefined if the workspace is managed locally.
 * Throws UPSTREAM_UNAVAILABLE if no provider is configured.
 */
export function upstreamOf(
  { provider }: { provider: IdentityProvider | undefined },
  { externalId }: Workspace,
): { directory: Directory; externalId: string } | undefined {
  if (!provider) throw fail('UPSTREAM_UNAVAILABLE', 'No identity provider is configured.');
  return provider.directory && externalId ? { directory: provider.directory, externalId } : undefined;
}
