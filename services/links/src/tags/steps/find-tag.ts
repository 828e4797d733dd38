import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Tag } from '../../links/domain/link.js';
import type { ApiDeps } from '../../usecase-deps.js';

/** Returns a tag of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findTag(
  { store }: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  id: string,
  session: Transaction['session'],
): Promise<Tag> {
  const tag = isId(id, 'tag') ? await store.tags.byId(workspaceId, id, session) : null;
  if (tag) return tag;
  if (isId(id, 'tag') && (await store.tags.existsAnywhere(id))) {
    throw fail('FORBIDDEN', 'The tag belongs to another workspace.');
  }
  throw fail('NOT_FOUND', 'No tag with this id.');
}
