import type { Principal } from '@tautan/kit';
import type { ApiDeps } from '../../usecase-deps.js';
import { tagsByNameOrId } from '../steps/tags-by-name-or-id.js';

/** Returns the ids of the tags with these names or ids; unknown ones are omitted. */
export async function findTags(
  { store }: Pick<ApiDeps, 'store'>,
  { workspaceId }: Principal,
  { namesOrIds }: { namesOrIds: string[] },
): Promise<{ nameOrId: string; id: string }[]> {
  const found = await tagsByNameOrId({ store }, workspaceId, namesOrIds);
  return Array.from(found, ([nameOrId, { _id: id }]) => ({ nameOrId, id }));
}
