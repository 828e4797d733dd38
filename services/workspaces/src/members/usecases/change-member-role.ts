import { fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import {
  assertManagerRemains,
  assertNotOwner,
  manages,
  parseAssignableRole,
  asOfWrite,
  type Member,
} from '../domain/member.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { manageableWorkspace } from '../../workspaces/steps/manageable-workspace.js';
import { emitMemberChange } from '../steps/member-events.js';
import { changeMemberAtProvider, memberOf } from '../steps/member-at-provider.js';
import { revokeApiKeysOfDemoted } from '../../api-keys/steps/revoke-minted-api-keys.js';
import { storeAccepted } from '../../workspaces/steps/store-accepted.js';

/**
 * Changes a member's role, at the identity provider and then locally, and emits `member.role_changed`. If the new role
 * cannot manage the workspace, the API keys that the member minted are revoked. Throws PERSON_ONLY; NOT_FOUND;
 * VALIDATION_ERROR naming `role`; FORBIDDEN if the principal is below admin, if the member is the owner or belongs to
 * another workspace, or if the workspace would have no owner or admin left; and UPSTREAM_UNAVAILABLE if the provider
 * fails, with local state unchanged.
 */
export async function changeMemberRole(
  deps: ProviderDeps,
  by: Principal,
  { credential, id, role }: { credential: string; id: string; role: string },
): Promise<Member> {
  const workspace = await manageableWorkspace(deps, by);
  const newRole = parseAssignableRole(role);
  const member = await memberOf(deps, workspace, id);
  assertNotOwner(member);
  if (!manages(newRole)) assertManagerRemains(await deps.members.ofWorkspace(workspace._id), member);
  await changeMemberAtProvider(
    deps,
    { by, credential, workspace, member },
    ({ directory, token, workspaceId, memberId }) => directory.changeRole(token, workspaceId, memberId, newRole),
  );
  const change = async (tx: Transaction) => {
    await deps.workspaces.lock(workspace._id, tx);
    const all = await deps.members.ofWorkspace(workspace._id, tx);
    const before = all.find(({ _id }) => _id === id);
    if (!before) throw fail('NOT_FOUND', 'The member no longer exists.');
    // The provider's decision is final. In a locally managed workspace, check again for concurrent changes.
    if (!workspace.externalId && !manages(newRole)) assertManagerRemains(all, before);
    const after = { ...before, role: newRole, asOf: asOfWrite(deps.now()) };
    await deps.members.write([after], tx);
    emitMemberChange(tx, { before, after });
    return { after, apiKeyIds: await revokeApiKeysOfDemoted(deps, { before, after }, tx) };
  };
  const { after, apiKeyIds } = await storeAccepted(deps, workspace, () => deps.transact(by, change));
  if (after.userId) deps.recheckCredentials({ userIds: [after.userId], apiKeyIds });
  return after;
}
