import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { unknownAddress, type Member } from '../../members/domain/member.js';
import { supersedes, newMember, pushChange, matchMember, updated, type MemberMerge } from '../domain/mirror.js';
import type { User } from '../../sessions/domain/user.js';
import { newWorkspace, type Workspace } from '../domain/workspace.js';
import type { ProviderWorkspace } from '../../provider/identity-provider.js';
import { applyMerge, mergeInBatches } from './apply-merge.js';
import type { MirrorDeps } from '../../usecase-deps.js';
import { emitWorkspace } from './workspace-events.js';

/** The workspaces of a user, as read from the identity provider. */
interface Reading {
  by: Principal | null;
  /** The user whose workspaces were queried. */
  user: User;
  /** The provider's response to a query at `readAt`. */
  provided: ProviderWorkspace[];
  readAt: Date;
}

/** Maximum number of workspaces per transaction, to bound its duration. */
const MAX_PER_TRANSACTION = 200;

/**
 * Merges the provider's workspaces of a user into the mirror: adds new ones, applies names and roles, and ends the
 * user's memberships in those that are no longer listed, with all effects of a removal. Local writes since `readAt` are
 * kept.
 */
export async function reconcileWorkspaces(deps: MirrorDeps, reading: Reading): Promise<void> {
  const { by, provided } = reading;
  for (let i = 0; i === 0 || i < provided.length; i += MAX_PER_TRANSACTION) {
    const part = { ...reading, provided: provided.slice(i, i + MAX_PER_TRANSACTION) };
    const isLast = i + MAX_PER_TRANSACTION >= provided.length;
    await mergeInBatches(deps, by, async (tx) => {
      const workspaces = await mirrorWorkspaces(deps, part, tx);
      const known = await deps.members.ofUser(part.user._id, addressOf(part.user), tx);
      const merge = mergeMemberships(part, workspaces, known);
      if (isLast) merge.removed = await endedElsewhere(deps, reading, known, tx);
      return applyMerge(deps, merge, part.readAt, tx);
    });
  }
}

const addressOf = ({ _id, email }: User): string => email || unknownAddress(_id);

/**
 * Returns the local records of the provided workspaces, by the provider's ids; creates or renames them if necessary.
 */
async function mirrorWorkspaces(
  { workspaces, defaultPlan }: MirrorDeps,
  { provided, readAt }: Reading,
  tx: Transaction,
): Promise<Map<string, Workspace>> {
  const found = await workspaces.findProvided(
    provided.map(({ id }) => id),
    tx,
  );
  const mirrored = new Map(found.map((workspace) => [workspace.externalId!, workspace]));
  const created: Workspace[] = [];
  for (const { id, name } of provided) {
    const known = mirrored.get(id);
    if (known && (known.name === name || readAt <= known.asOf)) continue;
    const workspace: Workspace = known
      ? { ...known, name }
      : newWorkspace(defaultPlan, { externalId: id, name, asOf: readAt, createdAt: readAt });
    mirrored.set(id, workspace);
    if (known) await workspaces.rename(known._id, name, readAt, tx);
    else created.push(workspace);
    if (known) emitWorkspace(tx, 'workspace.updated', workspace, { name: { before: known.name, after: name } });
    else emitWorkspace(tx, 'workspace.created', workspace);
  }
  await workspaces.insert(created, tx);
  return mirrored;
}

/**
 * Returns the added and changed memberships. Known emails and names are kept, because the provider's list of members is
 * more reliable for them than its list of workspaces.
 */
function mergeMemberships(
  { user, provided, readAt }: Reading,
  workspaces: Map<string, Workspace>,
  known: Member[],
): MemberMerge {
  const merge: MemberMerge = { added: [], changed: [], removed: [] };
  for (const { id, role } of provided) {
    const { _id: workspaceId } = workspaces.get(id)!;
    const members = known.filter((member) => member.workspaceId === workspaceId);
    const address = addressOf(user);
    const own = { externalId: null, userId: user._id, email: address, name: user.name };
    const reported = { ...own, role, status: 'active' as const, joinedAt: null };
    const before = matchMember(reported, members);
    if (!before) {
      // If another member has this email, they keep it, and the new member gets a placeholder.
      const email = members.some((member) => member.email === address) ? unknownAddress(user._id) : address;
      merge.added.push(newMember(workspaceId, { ...reported, email }, readAt));
    } else if (supersedes(before, reported, readAt)) {
      const { email, name } = before;
      pushChange(merge, before, updated(before, { ...reported, email, name: name || user.name }, readAt));
    }
  }
  return merge;
}

/** Returns the memberships that the provider no longer reports. */
async function endedElsewhere(
  { workspaces }: MirrorDeps,
  { user, provided, readAt }: Reading,
  known: Member[],
  tx: Transaction,
): Promise<Member[]> {
  const joined = known.filter(({ userId, status }) => userId === user._id && status === 'active');
  const found = await workspaces.findMany(
    joined.map(({ workspaceId }) => workspaceId),
    tx,
  );
  const reportedIds = new Set(provided.map(({ id }) => id));
  // A workspace without an external id is managed locally.
  const ended = new Set(
    found.filter(({ externalId }) => externalId && !reportedIds.has(externalId)).map(({ _id }) => _id),
  );
  return joined.filter(({ workspaceId, asOf }) => ended.has(workspaceId) && readAt > asOf);
}
