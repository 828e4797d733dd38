import type { Transaction } from '@tautan/kit/mongo';
import { reservationId } from '../domain/invitation.js';
import type { Member } from '../domain/member.js';
import type { MirrorDeps } from '../../usecase-deps.js';

/**
 * Inserts and counts members. A member with an invitation reservation replaces it. No limit applies, because the identity
 * provider has already accepted them.
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

/** Returns the change of the member counts by workspace, `each` per member. */
export function countByWorkspace(members: Pick<Member, 'workspaceId'>[], each: 1 | -1): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { workspaceId } of members) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + each);
  return counts;
}
