import { changesBetween, type Principal } from '@tautan/kit';
import { checkTagName, tagKey } from '../domain/tag-names.js';
import { tagView, type TagView } from '../../links/domain/view.js';
import { rethrowTagCollision } from '../steps/rethrow-tag-collision.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { nextUpdatedAt } from '../../domain/times.js';
import { findTag } from '../steps/find-tag.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'now'>;

/**
 * Renames a tag on all links and QR codes. Throws NOT_FOUND, FORBIDDEN, TAG_EXISTS, or VALIDATION_ERROR naming `name`.
 */
export async function renameTag(deps: Deps, by: Principal, input: { id: string; name: string }): Promise<TagView> {
  const name = checkTagName(input.name);
  return deps
    .transact(by, async (tx) => {
      const tag = await findTag(deps, by.workspaceId, input.id, tx.session);
      if (tag.name === name) return tagView(tag);
      const renamed = { ...tag, name, nameKey: tagKey(name), updatedAt: nextUpdatedAt(tag, deps.now()) };
      await deps.store.tags.rename(renamed, tx.session);
      const [before, data] = [tagView(tag), tagView(renamed)];
      const target = { type: 'tag', id: tag._id, label: name };
      tx.emit({ type: 'tag.updated', target, data, changes: changesBetween(before, data) });
      return data;
    })
    .catch(rethrowTagCollision);
}
