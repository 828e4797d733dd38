import { faultCode, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { assertManagerRemains, assertNotOwner, asOfWrite } from '../domain/member.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import type { DirectoryContext } from '../../workspaces/steps/with-directory.js';
import { endMemberships } from '../steps/end-memberships.js';
import { assertManages, ownMembership } from '../../workspaces/steps/manageable-workspace.js';
import { changeMemberAtProvider, memberOf } from '../steps/member-at-provider.js';
import { storeAccepted } from '../../workspaces/steps/store-accepted.js';

/**
 * Removes a member or withdraws an invitation, at the identity provider and then locally, with everything that depends
 * on the membership (see `endMemberships`). Emits `member.removed` and notifies the gateways. Everybody except the
 * owner can leave by removing themselves. Throws PERSON_ONLY for API keys; NOT_FOUND, including if the provider does
 * not know the workspace; FORBIDDEN if the member is the owner or belongs to another workspace, if the workspace would
 * have no owner or admin left, or if the caller is neither the member nor an owner or admin; and UPSTREAM_UNAVAILABLE
 * if the provider fails, with local state unchanged.
 */
export async function removeMember(
  deps: ProviderDeps,
  by: Principal,
  { credential, id }: { credential: string; id: string },
): Promise<void> {
  const { workspace, membership } = await ownMembership(deps, by);
  const member = await memberOf(deps, workspace, id);
  if (membership._id !== id) assertManages(membership);
  assertNotOwner(member);
  assertManagerRemains(await deps.members.ofWorkspace(workspace._id), member);
  await changeMemberAtProvider(deps, { by, credential, workspace, member }, removeAtProvider);
  const remove = async (tx: Transaction) => {
    await deps.workspaces.lock(workspace._id, tx);
    const all = await deps.members.ofWorkspace(workspace._id, tx);
    const removed = all.filter(({ _id }) => _id === id);
    // The provider's decision is final. In a locally managed workspace, check again for concurrent changes.
    if (!workspace.externalId) for (const one of removed) assertManagerRemains(all, one);
    return endMemberships(deps, { removed, asOf: asOfWrite(deps.now()) }, tx);
  };
  deps.recheckCredentials(await storeAccepted(deps, workspace, () => deps.transact(by, remove)));
}

async function removeAtProvider({
  directory,
  token,
  workspaceId,
  memberId,
}: DirectoryContext & { memberId: string }): Promise<void> {
  try {
    await directory.removeMember(token, workspaceId, memberId);
  } catch (error) {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
    // Either the workspace is unknown, in which case this call throws, or the member was already removed, for example
    // by an attempt that crashed midway.
    const members = await directory.listMembers(token, workspaceId);
    if (members.some(({ id }) => id === memberId)) throw error;
  }
}
