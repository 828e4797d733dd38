import type { Principal } from '@tautan/kit';
import { tagView } from '../../links/domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { dropTag } from '../steps/drop-tag.js';
import { findTag } from '../steps/find-tag.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'now' | 'log'>;

/** Links that are freed of the tag before the answer; the sweep frees the rest. */
const AT_ONCE = 2_000;

/**
 * Deletes a tag. From the commit on no link and no QR code shows it: views leave out tags that do not exist. Taking its id off
 * them follows in small steps. Throws NOT_FOUND or FORBIDDEN.
 */
export async function deleteTag(deps: Deps, by: Principal, { id }: { id: string }): Promise<{ id: string }> {
  const { workspaceId } = by;
  await deps.transact(by, async (tx) => {
    const tag = await findTag(deps, workspaceId, id, tx.session);
    await deps.store.tags.remove(workspaceId, id, tx.session);
    await deps.store.tagRemovals.begin({ _id: id, workspaceId, at: deps.now() }, tx.session);
    tx.emit({ type: 'tag.deleted', target: { type: 'tag', id, label: tag.name }, data: tagView(tag) });
  });
  // The tag is gone whatever happens here: a failure leaves it to the sweep.
  await dropTag(deps, { _id: id, workspaceId }, AT_ONCE).catch((error: unknown) => {
    deps.log.warn({ err: error, tagId: id }, 'links keep a deleted tag for now');
  });
  return { id };
}
