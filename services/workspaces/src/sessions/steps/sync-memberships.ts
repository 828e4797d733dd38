import type { Principal } from '@tautan/kit';
import type { User } from '../domain/user.js';
import type { Member } from '../../members/domain/member.js';
import { pushChange, type MemberMerge } from '../../workspaces/domain/mirror.js';
import { applyMerge, mergeInBatches } from '../../workspaces/steps/apply-merge.js';
import type { MirrorDeps, ProviderDeps } from '../../usecase-deps.js';
import { reconcileWorkspaces } from '../../workspaces/steps/reconcile-workspaces.js';

interface Sync {
  by: Principal | null;
  user: User;
  accessToken: string;
}

/**
 * Syncs a user's memberships with the provider. In workspaces that are managed locally, accepts the invitations to
 * the user's verified email address, and applies that address and the user's name to the memberships. Throws
 * UPSTREAM_UNAVAILABLE if the provider fails, and UNAUTHENTICATED if it rejects the token.
 */
export async function syncMemberships(
  deps: MirrorDeps & Pick<ProviderDeps, 'provider'>,
  { by, user, accessToken }: Sync,
): Promise<void> {
  const directory = deps.provider?.directory;
  if (directory) {
    const readAt = deps.now();
    const provided = await directory.listWorkspaces(accessToken);
    await reconcileWorkspaces(deps, { by, user, provided, readAt });
  }
  await syncLocalMemberships(deps, by, user);
}

type Profile = Pick<User, '_id' | 'email' | 'emailVerified' | 'name'>;

/**
 * Applies a user's profile to the workspaces that the provider does not manage: turns the open invitations to the
 * user's verified email into memberships, and updates that email and the name in the user's memberships.
 */
async function syncLocalMemberships(
  deps: MirrorDeps & Pick<ProviderDeps, 'provider'>,
  by: Principal | null,
  profile: Profile,
): Promise<void> {
  const at = deps.now();
  const { _id, email } = profile;
  const preview = mergeLocalMemberships(profile, await deps.members.ofUser(_id, email), at);
  const touched = [...preview.changed.map(({ before }) => before), ...preview.removed];
  if (touched.length === 0) return;
  const workspaces = await deps.workspaces.findMany(touched.map(({ workspaceId }) => workspaceId));
  const locallyManaged = new Set(
    workspaces.filter(({ externalId }) => !deps.provider?.directory || !externalId).map((workspace) => workspace._id),
  );
  if (locallyManaged.size === 0) return;
  await mergeInBatches(deps, by, async (tx) => {
    // Read again inside the transaction, because an invitation may have been withdrawn meanwhile.
    const known = await deps.members.ofUser(_id, email, tx);
    const local = known.filter(({ workspaceId }) => locallyManaged.has(workspaceId));
    return applyMerge(deps, mergeLocalMemberships(profile, local, at), at, tx);
  });
}

/**
 * Returns the changes that make a user's memberships, and the invitations to the user's email, match the profile.
 * An invitation to a workspace that the user already belongs to is removed. An email that is not verified, or that
 * another member uses, is not applied.
 */
function mergeLocalMemberships({ _id: userId, ...profile }: Profile, known: Member[], at: Date): MemberMerge {
  const verified = profile.emailVerified ? profile.email : '';
  const own = known.filter((member) => member.userId === userId && member.status === 'active');
  const joined = new Set(own.map(({ workspaceId }) => workspaceId));
  const invited = known.filter(({ email, status }) => email === verified && status === 'invited');
  const isTaken = (workspaceId: string): boolean =>
    known.some((one) => one.workspaceId === workspaceId && one.email === verified && one.status === 'active');
  const merge: MemberMerge = {
    added: [],
    changed: [],
    removed: invited.filter(({ workspaceId }) => joined.has(workspaceId)),
  };
  for (const before of invited.filter(({ workspaceId }) => !joined.has(workspaceId))) {
    const name = before.name || profile.name;
    merge.changed.push({ before, after: { ...before, userId, name, status: 'active', joinedAt: at } });
  }
  for (const before of own) {
    const email = verified && !isTaken(before.workspaceId) ? verified : before.email;
    pushChange(merge, before, { ...before, email, name: profile.name || before.name });
  }
  return merge;
}
