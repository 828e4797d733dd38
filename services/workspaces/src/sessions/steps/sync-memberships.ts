import type { Principal } from '@tautan/kit';
import type { User } from '../domain/user.js';
import { applyMerge, mergeInBatches } from '../../workspaces/steps/apply-merge.js';
import type { MirrorDeps, ProviderDeps } from '../../usecase-deps.js';
import { reconcileWorkspaces } from '../../workspaces/steps/reconcile-workspaces.js';

interface Sync {
  by: Principal | null;
  user: User;
  accessToken: string;
  /** Whether the identity provider has verified the user's email. */
  emailVerified: boolean;
}

/**
 * Syncs a user's memberships with the provider, and accepts the invitations to their verified email address in
 * workspaces that are managed locally. Throws UPSTREAM_UNAVAILABLE if the provider fails, and UNAUTHENTICATED if it
 * rejects the token.
 */
export async function syncMemberships(
  deps: MirrorDeps & Pick<ProviderDeps, 'provider'>,
  { by, user, accessToken, emailVerified }: Sync,
): Promise<void> {
  const directory = deps.provider?.directory;
  if (directory) {
    const readAt = deps.now();
    const provided = await directory.listWorkspaces(accessToken);
    await reconcileWorkspaces(deps, { by, user, provided, readAt });
  }
  if (emailVerified && user.email) await joinInvited(deps, by, user);
}

/**
 * Turns the open invitations of a user's email into memberships, except for workspaces that the provider manages. If
 * the user is already a member, under another email, the invitation is removed.
 */
async function joinInvited(
  deps: MirrorDeps & Pick<ProviderDeps, 'provider'>,
  by: Principal | null,
  user: User,
): Promise<void> {
  const at = deps.now();
  const invitations = await deps.members.invitationsOf(user.email);
  const workspaces = await deps.workspaces.findMany(invitations.map(({ workspaceId }) => workspaceId));
  const locallyManaged = new Set(
    workspaces.filter(({ externalId }) => !deps.provider?.directory || !externalId).map(({ _id }) => _id),
  );
  if (locallyManaged.size === 0) return;
  await mergeInBatches(deps, by, async (tx) => {
    // Read again inside the transaction, because an invitation may have been withdrawn meanwhile.
    const known = await deps.members.ofUser(user._id, user.email, tx);
    const open = known.filter(
      ({ email, status, workspaceId }) =>
        email === user.email && status === 'invited' && locallyManaged.has(workspaceId),
    );
    const joined = new Set(
      known.filter(({ userId, status }) => userId === user._id && status === 'active').map((one) => one.workspaceId),
    );
    const removed = open.filter(({ workspaceId }) => joined.has(workspaceId));
    const accepted = open.filter(({ workspaceId }) => !joined.has(workspaceId));
    const changed = accepted.map((before) => ({
      before,
      after: { ...before, userId: user._id, name: before.name || user.name, status: 'active' as const, joinedAt: at },
    }));
    return applyMerge(deps, { added: [], changed, removed }, at, tx);
  });
}
