import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store'>;

const STEP = 500;

/**
 * Removes a deleted tag from links and QR codes in batches, until none has it or `limit` were updated. Returns whether
 * it is done.
 */
export async function dropTag(
  { store }: Deps,
  { _id, workspaceId }: { _id: string; workspaceId: string },
  limit = Infinity,
): Promise<boolean> {
  for (let freed = 0; freed < limit;) {
    const count =
      (await store.links.dropTag(workspaceId, _id, STEP)) || (await store.qrTargets.dropTag(workspaceId, _id, STEP));
    if (count === 0) {
      await store.tagRemovals.finish(_id);
      return true;
    }
    freed += count;
  }
  return false;
}
