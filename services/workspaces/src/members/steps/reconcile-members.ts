import type { Principal } from '@tautan/kit';
import { mergeMembers, type ReportedMember } from '../../workspaces/domain/mirror.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { ProviderMember } from '../../provider/identity-provider.js';
import { applyMerge, mergeInBatches } from '../../workspaces/steps/apply-merge.js';
import type { MirrorDeps } from '../../usecase-deps.js';

/** A list of members that was read from the provider. */
interface Reading {
  by: Principal | null;
  workspace: Workspace;
  /** The provider's response to a query at `readAt`. */
  provided: ProviderMember[];
  readAt: Date;
  /** The issuer of the provided members' subjects. */
  issuer: string;
}

/**
 * Merges the provider's members of a workspace into the mirror, and emits events for the changes. Members that the
 * provider no longer reports are removed, with all effects of a removal. Local writes after `readAt` are kept.
 */
export async function reconcileMembers(deps: MirrorDeps, reading: Reading): Promise<void> {
  const { by, workspace, readAt } = reading;
  const reported = await withUsers(deps, reading);
  await mergeInBatches(deps, by, async (tx) => {
    const known = await deps.members.ofWorkspace(workspace._id, tx);
    return applyMerge(deps, mergeMembers(workspace._id, known, reported, readAt), readAt, tx);
  });
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
