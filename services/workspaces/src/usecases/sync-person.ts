import type { Principal } from '@tautan/kit';
import type { User } from '../domain/user.js';
import { applyMerge, mergeWholly } from './apply-merge.js';
import type { MirrorDeps, PeopleDeps } from './deps.js';
import { reconcileWorkspaces } from './reconcile-workspaces.js';

interface Sync {
  by: Principal | null;
  user: User;
  accessToken: string;
  /** Whether the identity provider vouches for the person's email. */
  emailVerified: boolean;
}

/**
 * Brings a person's memberships up to date: with the provider's, and, of workspaces that are kept here alone, with the invitations
 * of their email. Throws UPSTREAM_UNAVAILABLE when the provider fails, UNAUTHENTICATED when it refuses the token.
 */
export async function syncPerson(
  deps: MirrorDeps & Pick<PeopleDeps, 'provider'>,
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

/** Turns the open invitations of a person's email into memberships, except those that the provider has to turn. */
async function joinInvited(
  deps: MirrorDeps & Pick<PeopleDeps, 'provider'>,
  by: Principal | null,
  user: User,
): Promise<void> {
  const at = deps.now();
  const invitations = await deps.members.invitationsOf(user.email);
  const workspaces = await deps.workspaces.findMany(invitations.map(({ workspaceId }) => workspaceId));
  const ours = new Set(workspaces.filter(({ externalId }) => !deps.provider?.directory || !externalId).map(({ _id }) => _id)); // prettier-ignore
  if (ours.size === 0) return;
  await mergeWholly(deps, by, async (tx) => {
    // Again, inside the transaction: one of them may have been withdrawn meanwhile.
    const known = await deps.members.ofPerson(user._id, user.email, tx);
    const open = known.filter(({ email, status, workspaceId }) => email === user.email && status === 'invited' && ours.has(workspaceId)); // prettier-ignore
    const changed = open.map((before) => ({
      before,
      after: { ...before, userId: user._id, name: before.name || user.name, status: 'active' as const, joinedAt: at },
    }));
    return applyMerge(deps, { added: [], changed, removed: [] }, at, tx);
  });
}
