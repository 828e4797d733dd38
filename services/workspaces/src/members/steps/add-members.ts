import type { Transaction } from '@tautan/kit/mongo';
import { reservationId } from '../domain/invitation.js';
import type { Member } from '../domain/member.js';
import type { MirrorDeps } from '../../usecase-deps.js';

/**
 * Inserts members and adds them to the member usage. A member with an invitation reservation is already counted, and
 * replaces the reservation. The member limit is not checked: each member has a reservation, exists at the identity
 * provider, or is the owner of a new workspace.
 */
export async function addMembers(
  { members, usage, invitations, now }: MirrorDeps,
  added: Member[],
  tx: Transaction,
): Promise<void> {
  const reserved = await invitations.existing(added.map(reservationId), tx);
  const replaced = new Set(reserved.map(({ _id }) => _id));
  const counted = added.filter((member) => !replaced.has(reservationId(member)));
  await usage.add(countByWorkspace(counted, 1), now(), tx);
  await invitations.remove([...replaced], tx);
  await members.insert(added, tx);
}

/** Returns the change in each workspace's member count: the sum of `each` over the workspace's members. */
export function countByWorkspace(members: Pick<Member, 'workspaceId'>[], each: 1 | -1): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { workspaceId } of members) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + each);
  return counts;
}
