import { isId } from '@tautan/kit';
import type { Tag } from '../../links/domain/link.js';
import { tagKey } from '../domain/tag-names.js';
import type { ApiDeps } from '../../usecase-deps.js';

/** Returns the tags with the given ids or names, keyed by the given text. Ids take precedence over names. */
export async function tagsByNameOrId(
  { store }: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  namesOrIds: string[],
): Promise<Map<string, Tag>> {
  if (namesOrIds.length === 0) return new Map();
  const [byId, byName] = await Promise.all([
    store.tags.byIds(
      workspaceId,
      namesOrIds.filter((text) => isId(text, 'tag')),
    ),
    store.tags.byKeys(workspaceId, namesOrIds.map(tagKey)),
  ]);
  const ids = new Map(byId.map((tag) => [tag._id, tag]));
  const names = new Map(byName.map((tag) => [tag.nameKey, tag]));
  return new Map(
    namesOrIds.flatMap((text) => {
      const tag = ids.get(text) ?? names.get(tagKey(text));
      return tag ? [[text, tag]] : [];
    }),
  );
}
