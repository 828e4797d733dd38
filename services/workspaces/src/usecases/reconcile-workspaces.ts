import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { unknownAddress, type Member } from '../domain/member.js';
import { counts, newMember, pushChange, recognise, updated, type MemberMerge } from '../domain/mirror.js';
import type { User } from '../domain/user.js';
import { newWorkspace, type Workspace } from '../domain/workspace.js';
import type { ProvidedWorkspace } from '../provider/identity-provider.js';
import { applyMerge, mergeWholly } from './apply-merge.js';
import type { MirrorDeps } from './deps.js';
import { emitWorkspace } from './workspace-events.js';

interface Reading {
  by: Principal | null;
  /** Whose workspaces they are. */
  user: User;
  /** What the provider answered when it was asked at `readAt`. */
  provided: ProvidedWorkspace[];
  readAt: Date;
}

/** Workspaces that one transaction looks at, so that it stays within its time. */
const AT_ONCE = 200;

/**
 * Merges a person's workspaces, as the provider has them, into the mirror: new ones come, names and roles follow, and
 * what vanished ends here with everything that a removal ends. What was written here after `readAt` is left as it is.
 */
export async function reconcileWorkspaces(deps: MirrorDeps, reading: Reading): Promise<void> {
  const { by, provided } = reading;
  for (let i = 0; i === 0 || i < provided.length; i += AT_ONCE) {
    const part = { ...reading, provided: provided.slice(i, i + AT_ONCE) };
    const isLast = i + AT_ONCE >= provided.length;
    await mergeWholly(deps, by, async (tx) => {
      const workspaces = await mirrorWorkspaces(deps, part, tx);
      const known = await deps.members.ofPerson(part.user._id, addressOf(part.user), tx);
      const merge = mergeMemberships(part, workspaces, known);
      if (isLast) merge.removed = await endedElsewhere(deps, reading, known, tx);
      return applyMerge(deps, merge, part.readAt, tx);
    });
  }
}

const addressOf = ({ _id, email }: User): string => email || unknownAddress(_id);

/** The local records of the provided workspaces, by the provider's ids: made or renamed where needed. */
async function mirrorWorkspaces(
  { workspaces, defaultPlan }: MirrorDeps,
  { provided, readAt }: Reading,
  tx: Transaction,
): Promise<Map<string, Workspace>> {
  const found = await workspaces.findProvided(provided.map(({ id }) => id), tx); // prettier-ignore
  const mirrored = new Map(found.map((workspace) => [workspace.externalId!, workspace]));
  const fresh: Workspace[] = [];
  for (const { id, name } of provided) {
    const known = mirrored.get(id);
    if (known && (known.name === name || readAt <= known.asOf)) continue;
    const workspace: Workspace = known
      ? { ...known, name }
      : newWorkspace(defaultPlan, { externalId: id, name, asOf: readAt, createdAt: readAt });
    mirrored.set(id, workspace);
    if (known) await workspaces.rename(known._id, name, readAt, tx);
    else fresh.push(workspace);
    if (known) emitWorkspace(tx, 'workspace.updated', workspace, { name: { before: known.name, after: name } });
    else emitWorkspace(tx, 'workspace.created', workspace);
  }
  await workspaces.insert(fresh, tx);
  return mirrored;
}

/** The memberships that came or changed. The provider's list of members says more of a known member than this list. */
function mergeMemberships(
  { user, provided, readAt }: Reading,
  workspaces: Map<string, Workspace>,
  known: Member[],
): MemberMerge {
  const merge: MemberMerge = { added: [], changed: [], removed: [] };
  for (const { id, role } of provided) {
    const { _id: workspaceId } = workspaces.get(id)!;
    const there = known.filter((member) => member.workspaceId === workspaceId);
    const address = addressOf(user);
    const person = { externalId: null, userId: user._id, email: address, name: user.name };
    const seen = { ...person, role, status: 'active' as const, joinedAt: null };
    const before = recognise(seen, there);
    if (!before) {
      // The email of a member stays theirs, whoever else says to have it.
      const email = there.some((member) => member.email === address) ? unknownAddress(user._id) : address;
      merge.added.push(newMember(workspaceId, { ...seen, email }, readAt));
    } else if (counts(before, seen, readAt)) {
      const { email, name } = before;
      pushChange(merge, before, updated(before, { ...seen, email, name: name || user.name }, readAt));
    }
  }
  return merge;
}

/** The memberships that the provider does not name any more. */
async function endedElsewhere(
  { workspaces }: MirrorDeps,
  { user, provided, readAt }: Reading,
  known: Member[],
  tx: Transaction,
): Promise<Member[]> {
  const joined = known.filter(({ userId, status }) => userId === user._id && status === 'active');
  const found = await workspaces.findMany(joined.map(({ workspaceId }) => workspaceId), tx); // prettier-ignore
  const named = new Set(provided.map(({ id }) => id));
  // A workspace without an id there was never kept there.
  const ended = new Set(found.filter(({ externalId }) => externalId && !named.has(externalId)).map(({ _id }) => _id));
  return joined.filter(({ workspaceId, asOf }) => ended.has(workspaceId) && readAt > asOf);
}
