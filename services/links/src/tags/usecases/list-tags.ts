import type { Principal } from '@tautan/kit';
import { tagView, type TagView } from '../../links/domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';

/** Returns all tags of the workspace, sorted by name. */
export async function listTags({ store }: Pick<ApiDeps, 'store'>, { workspaceId }: Principal): Promise<TagView[]> {
  return (await store.tags.list(workspaceId)).map(tagView);
}
