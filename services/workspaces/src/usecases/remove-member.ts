import { faultCode, type Principal } from '@tautan/kit';
import { assertManagerRemains, assertNotOwner, writtenNow } from '../domain/member.js';
import type { PeopleDeps } from './deps.js';
import { endMemberships } from './end-memberships.js';
import { assertManages, ownMembership } from './managed-workspace.js';
import { pushMember, memberOf } from './provided-member.js';

/**
 * Removes a member or withdraws an invitation, at the identity provider and then locally, with everything that came with the
 * membership. Emits `member.removed` and notifies the gateways. Everybody but the owner may leave by removing themselves.
 * Throws PERSON_ONLY, FORBIDDEN below admin for anybody else, for the owner, and for the last manager, NOT_FOUND, and
 * UPSTREAM_UNAVAILABLE if the provider fails; local state is unchanged then.
 */
export async function removeMember(
  deps: PeopleDeps,
  { by, credential, id }: { by: Principal; credential: string; id: string },
): Promise<void> {
  const { workspace, membership } = await ownMembership(deps, by);
  const member = await memberOf(deps, workspace, id);
  if (membership._id !== id) assertManages(membership);
  assertNotOwner(member);
  assertManagerRemains(await deps.members.ofWorkspace(workspace._id), member);
  await pushMember(deps, { by, credential, workspace, member }, ({ directory, token, workspaceId, memberId }) =>
    directory.removeMember(token, workspaceId, memberId),
  ).catch((error: unknown) => {
    // Gone there already, as after an attempt that died half-way: then it must go here too.
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  });
  const dropped = await deps.transact(by, async (tx) => {
    await deps.workspaces.hold(workspace._id, tx);
    const all = await deps.members.ofWorkspace(workspace._id, tx);
    const gone = all.filter(({ _id }) => _id === id);
    // What the provider has taken is so; where it is decided here alone, a change that ran meanwhile counts.
    if (!workspace.externalId) for (const one of gone) assertManagerRemains(all, one);
    return endMemberships(deps, { gone, asOf: writtenNow(deps.now()) }, tx);
  });
  deps.dropCredentials(dropped);
}
