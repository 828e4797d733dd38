import { fail } from '@tautan/kit';
import type { Member } from '../domain/member.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { withDirectory, type DirectoryContext, type ChangeContext } from '../../workspaces/steps/with-directory.js';
import { refreshMembers } from './refresh-members.js';

/**
 * Returns a member of the workspace by id. Throws NOT_FOUND if the id is unknown, and FORBIDDEN if the member belongs
 * to another workspace.
 */
export async function memberOf({ members }: ProviderDeps, workspace: Workspace, id: string): Promise<Member> {
  const member = await members.find(id);
  if (!member) throw fail('NOT_FOUND', 'No member with this id.');
  if (member.workspaceId !== workspace._id) throw fail('FORBIDDEN', 'The member belongs to another workspace.');
  return member;
}

/**
 * Runs `work` for a member at the identity provider, unless the workspace is managed locally. If the provider's id of
 * the member is unknown, it is read from the provider first. Throws the provider's errors.
 */
export async function changeMemberAtProvider(
  deps: ProviderDeps,
  { member, ...change }: ChangeContext & { member: Member },
  work: (context: DirectoryContext & { memberId: string }) => Promise<void>,
): Promise<void> {
  await withDirectory(deps, change, async (context) => {
    const memberId = member.externalId ?? (await lookUp(deps, change, member));
    await work({ ...context, memberId });
  });
}

async function lookUp(deps: ProviderDeps, change: ChangeContext, { _id }: Member): Promise<string> {
  await refreshMembers(deps, change);
  const { externalId } = await memberOf(deps, change.workspace, _id);
  if (externalId === null) throw fail('NOT_FOUND', 'The identity provider does not know this member.');
  return externalId;
}
