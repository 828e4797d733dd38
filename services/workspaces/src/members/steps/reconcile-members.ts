import type { Principal } from '@tautan/kit';
import type { Emission, Transaction } from '@tautan/kit/mongo';
import { mergeMembers, type ReportedMember } from '../../workspaces/domain/mirror.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { ProviderMember } from '../../provider/identity-provider.js';
import { applyMerge, mergeInBatches } from '../../workspaces/steps/apply-merge.js';
import type { MirrorDeps } from '../../usecase-deps.js';

/** An invitation requested with an operation id. An earlier attempt may already have created it at the provider. */
export interface RepeatableInvitation {
  email: string;
  role: string;
}

/** A list of members that was read from the provider. */
interface Reading {
  /** The user who requests it. */
  by: Principal;
  workspace: Workspace;
  /** The provider's response to a query at `readAt`. */
  provided: ProviderMember[];
  readAt: Date;
  /** The issuer of the provided members' subjects. */
  issuer: string;
  repeatable?: RepeatableInvitation | undefined;
}

/**
 * Merges the provider's members of a workspace into the mirror, and emits events for the changes. Members that the
 * provider no longer reports are removed, with all effects of a removal. Local writes after `readAt` are kept. The
 * events are attributed to the system, because the requesting user made none of the changes. Only the event of the
 * repeatable invitation is attributed to that user.
 */
export async function reconcileMembers(deps: MirrorDeps, reading: Reading): Promise<void> {
  const { by, workspace, readAt, repeatable } = reading;
  const reported = await withUsers(deps, reading);
  await mergeInBatches(deps, null, async (tx) => {
    const known = await deps.members.ofWorkspace(workspace._id, tx);
    const merge = mergeMembers(workspace._id, known, reported, readAt);
    return applyMerge(deps, merge, readAt, repeatable ? attributing(tx, by, repeatable) : tx);
  });
}

/** Returns the transaction, with the event of the invitation attributed to the user who requests it. */
function attributing(tx: Transaction, by: Principal, { email, role }: RepeatableInvitation): Transaction {
  const isRequested = ({ type, data }: Emission): boolean => {
    const { email: invited, role: as } = data as { email?: string; role?: string };
    return type === 'member.invited' && invited === email && as === role;
  };
  return { ...tx, emit: (emission) => tx.emit(isRequested(emission) ? { ...emission, by } : emission) };
}

/** Returns the provided members with the ids of their users; null for a user who has never signed in. */
async function withUsers({ users }: MirrorDeps, { provided, issuer }: Reading): Promise<ReportedMember[]> {
  const subjects = provided.flatMap(({ subject }) => subject ?? []);
  const people = await users.findBySubjects(issuer, subjects);
  const ids = new Map(people.map(({ subject, _id }) => [subject, _id]));
  return provided.map(({ id, subject, ...rest }) => ({
    ...rest,
    externalId: id,
    userId: (subject && ids.get(subject)) || null,
  }));
}
