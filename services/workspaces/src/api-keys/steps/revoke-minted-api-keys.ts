import type { Transaction } from '@tautan/kit/mongo';
import { manages, type Member } from '../../members/domain/member.js';
import type { Change } from '../../workspaces/domain/mirror.js';
import type { MirrorDeps } from '../../usecase-deps.js';

type Deps = Pick<MirrorDeps, 'apiKeys' | 'now'>;

/** Revokes the keys that a user minted in these workspaces, and emits `api_key.revoked` for each. Returns their ids. */
export async function revokeMintedApiKeys(
  { apiKeys, now }: Deps,
  workspaceIds: string[],
  userId: string,
  tx: Transaction,
): Promise<string[]> {
  const keys = await apiKeys.mintedBy(userId, workspaceIds, tx);
  for (const { _id: id, workspaceId, label, prefix, createdAt } of keys) {
    await apiKeys.revoke(id, now(), tx);
    tx.emit({
      type: 'api_key.revoked',
      workspaceId,
      target: { type: 'api_key', id, label },
      data: { id, label, prefix, createdAt: createdAt.toISOString() },
    });
  }
  return keys.map(({ _id }) => _id);
}

/** Revokes the keys that a member minted, if the change demoted the member below admin. Returns the ids of the keys. */
export async function revokeApiKeysOfDemoted(
  deps: Deps,
  { before, after }: Change<Member>,
  tx: Transaction,
): Promise<string[]> {
  if (!after.userId || !manages(before.role) || manages(after.role)) return [];
  return revokeMintedApiKeys(deps, [after.workspaceId], after.userId, tx);
}
