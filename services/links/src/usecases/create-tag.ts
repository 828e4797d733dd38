import { fail, type Principal } from '@tautan/kit';
import { checkTagName } from '../domain/tag-names.js';
import { tagView, type TagView } from '../domain/view.js';
import { collisionOf } from '../store/index.js';
import type { ApiDeps } from './deps.js';
import { createTags, newTag } from './use-tags.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'ceilings' | 'now'>;

/** Creates a tag. Throws TAG_EXISTS, or VALIDATION_ERROR naming `name`. */
export async function createTag(deps: Deps, by: Principal, input: { name: string }): Promise<TagView> {
  const tag = newTag(by.workspaceId, checkTagName(input.name), 0, deps.now());
  return deps
    .transact(by, async (tx) => {
      await createTags(deps, tx, by.workspaceId, [tag], { field: 'name' });
      return tagView(tag);
    })
    .catch(asTagExists);
}

/** Tells a collision over a name as the fault that it is to the caller. */
export function asTagExists(error: unknown): never {
  throw collisionOf(error) === 'tag' ? fail('TAG_EXISTS', 'A tag of this name exists.', 'name') : error;
}
