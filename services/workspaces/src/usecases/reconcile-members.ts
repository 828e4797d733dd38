import type { Principal } from '@tautan/kit';
import { mergeMembers, type SeenMember } from '../domain/mirror.js';
import type { Workspace } from '../domain/workspace.js';
import type { ProvidedMember } from '../provider/identity-provider.js';
import { applyMerge, mergeWholly } from './apply-merge.js';
import type { MirrorDeps } from './deps.js';

interface Reading {
  by: Principal | null;
  workspace: Workspace;
  /** What the provider answered when it was asked at `readAt`. */
  provided: ProvidedMember[];
  readAt: Date;
  /** Whose subjects the provided members are. */
  issuer: string;
}

/**
 * Merges the members of a workspace, as the provider has them, into the mirror, with events; who vanished there ends
 * here, with everything that a removal ends. What was written here after `readAt` is left as it is.
 */
export async function reconcileMembers(deps: MirrorDeps, reading: Reading): Promise<void> {
  const { by, workspace, readAt } = reading;
  const seen = await withPeople(deps, reading);
  await mergeWholly(deps, by, async (tx) => {
    const known = await deps.members.ofWorkspace(workspace._id, tx);
    return applyMerge(deps, mergeMembers(workspace._id, known, seen, readAt), readAt, tx);
  });
}

async function withPeople({ users }: MirrorDeps, { provided, issuer }: Reading): Promise<SeenMember[]> {
  const subjects = provided.flatMap(({ subject }) => subject ?? []);
  const people = await users.findBySubjects(issuer, subjects);
  const ids = new Map(people.map(({ subject, _id }) => [subject, _id]));
  return provided.map(({ id, subject, ...rest }) => ({
    ...rest,
    externalId: id,
    userId: (subject && ids.get(subject)) || null,
  }));
}
