import { fail } from '@tautan/kit';
import type { Member } from '../domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { PeopleDeps } from './deps.js';
import { push, type ProvidedPlace, type Where } from './push.js';
import { refreshMembers } from './refresh-members.js';

/** A member of the workspace by id. Throws NOT_FOUND for an unknown one, FORBIDDEN for one of another workspace. */
export async function memberOf({ members }: PeopleDeps, workspace: Workspace, id: string): Promise<Member> {
  const member = await members.find(id);
  if (!member) throw fail('NOT_FOUND', 'There is no such member.');
  if (member.workspaceId !== workspace._id) throw fail('FORBIDDEN', 'The member is one of another workspace.');
  return member;
}

/**
 * Does something to a member at the identity provider, where the workspace is kept there. A member of whom the provider's
 * id is not known yet is looked up first. Throws what the provider answers.
 */
export async function pushMember(
  deps: PeopleDeps,
  { member, ...where }: Where & { member: Member },
  work: (at: ProvidedPlace & { memberId: string }) => Promise<void>,
): Promise<void> {
  await push(deps, where, async (place) => {
    const memberId = member.externalId ?? (await lookUp(deps, where, member));
    await work({ ...place, memberId });
  });
}

async function lookUp(deps: PeopleDeps, where: Where, { _id }: Member): Promise<string> {
  await refreshMembers(deps, where);
  const { externalId } = await memberOf(deps, where.workspace, _id);
  if (externalId === null) throw fail('NOT_FOUND', 'The identity provider knows no such member.');
  return externalId;
}
