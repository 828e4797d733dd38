import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store'>;

const BATCH_SIZE = 500;

/**
 * Removes a deleted tag from links and QR codes in batches, until none of them has it or at least `limit` of them were
 * updated. Returns whether the removal is complete.
 */
export async function dropTag(
  { store }: Deps,
  { _id, workspaceId }: { _id: string; workspaceId: string },
  limit = Infinity,
): Promise<boolean> {
  for (let updated = 0; updated < limit;) {
    const count =
      (await store.links.dropTag(workspaceId, _id, BATCH_SIZE)) ||
      (await store.qrCodeData.dropTag(workspaceId, _id, BATCH_SIZE));
    if (count === 0) {
      await store.tagRemovals.finish(_id);
      return true;
    }
    updated += count;
  }
  return false;
}
