import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store'>;

const STEP = 500;

/** Takes a deleted tag off links and QR codes, in steps, until none has it or `atMost` were freed. Answers whether it is done. */
export async function dropTag(
  { store }: Deps,
  { _id, workspaceId }: { _id: string; workspaceId: string },
  atMost = Infinity,
): Promise<boolean> {
  for (let freed = 0; freed < atMost;) {
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
