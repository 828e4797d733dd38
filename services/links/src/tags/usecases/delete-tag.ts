import type { Principal } from '@tautan/kit';
import { tagView } from '../../links/domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { dropTag } from '../steps/drop-tag.js';
import { findTag } from '../steps/find-tag.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'now' | 'log'>;

/** Number of links and QR codes updated before the response; the sweep updates the rest. */
const FIRST_BATCH = 2_000;

/**
 * Deletes a tag. It disappears from links and QR codes with the commit, because views omit tags that do not exist; its
 * id is removed from them afterwards in batches. Throws NOT_FOUND or FORBIDDEN.
 */
export async function deleteTag(deps: Deps, by: Principal, { id }: { id: string }): Promise<{ id: string }> {
  const { workspaceId } = by;
  await deps.transact(by, async (tx) => {
    const tag = await findTag(deps, workspaceId, id, tx.session);
    await deps.store.tags.remove(workspaceId, id, tx.session);
    await deps.store.tagRemovals.begin({ _id: id, workspaceId, at: deps.now() }, tx.session);
    tx.emit({ type: 'tag.deleted', target: { type: 'tag', id, label: tag.name }, data: tagView(tag) });
  });
  // The tag is already deleted. If this fails, the sweep completes the removal.
  await dropTag(deps, { _id: id, workspaceId }, FIRST_BATCH).catch((error: unknown) => {
    deps.log.warn(
      { err: error, tagId: id },
      'deleted tag could not be removed from all links and QR codes; the sweep will remove it',
    );
  });
  return { id };
}
