import { idForOperation, type Principal } from '@tautan/kit';
import { checkTagName } from '../domain/tag-names.js';
import { tagView, type TagView } from '../../links/domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { rethrowTagCollision } from '../steps/rethrow-tag-collision.js';
import { createTags, newTag } from '../steps/use-tags.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'ceilings' | 'now'>;

export interface CreateTagInput {
  name: string;
  /** A ULID. A repeated call with the same one returns the tag that the first call created. */
  operationId?: string | undefined;
}

/** Creates a tag. Throws TAG_EXISTS, or VALIDATION_ERROR naming `name` or `operationId`. */
export async function createTag(deps: Deps, by: Principal, input: CreateTagInput): Promise<TagView> {
  const _id = idForOperation('tag', input.operationId);
  const tag = { ...newTag(by.workspaceId, checkTagName(input.name), 0, deps.now()), _id };
  try {
    return await deps.transact(by, async (tx) => {
      await createTags(deps, tx, by.workspaceId, [tag], { field: 'name' });
      return tagView(tag);
    });
  } catch (error) {
    const earlier = input.operationId === undefined ? null : await deps.store.tags.byId(by.workspaceId, _id);
    return earlier ? tagView(earlier) : rethrowTagCollision(error);
  }
}
