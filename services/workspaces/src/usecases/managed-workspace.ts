import { fail, type Principal } from '@tautan/kit';
import { assertPerson, manages } from '../domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { Directory, IdentityProvider } from '../provider/identity-provider.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../store/workspaces.js';

/**
 * The principal's workspace, for a person who manages it by what is known now: the principal's own role may have been
 * remembered for a while. Throws PERSON_ONLY, NOT_FOUND, or FORBIDDEN for members, viewers and strangers.
 */
export async function managedWorkspace(
  { workspaces, members }: { workspaces: WorkspaceStore; members: MemberStore },
  by: Principal,
): Promise<Workspace> {
  assertPerson(by);
  const [workspace, membership] = await Promise.all([
    workspaces.find(by.workspaceId),
    members.findMembership(by.workspaceId, by.id),
  ]);
  if (!workspace) throw fail('NOT_FOUND', 'There is no such workspace.');
  if (!membership || !manages(membership.role)) {
    throw fail('FORBIDDEN', 'Only the owner and admins manage the workspace and its members.');
  }
  return workspace;
}

/** Where a workspace stands at the provider; undefined for one that is kept here alone. */
export function upstreamOf(
  { provider }: { provider: IdentityProvider | undefined },
  { externalId }: Workspace,
): { directory: Directory; externalId: string } | undefined {
  if (!provider) throw fail('UPSTREAM_UNAVAILABLE', 'No identity provider is configured.');
  return provider.directory && externalId ? { directory: provider.directory, externalId } : undefined;
}
