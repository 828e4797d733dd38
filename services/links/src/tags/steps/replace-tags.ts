import type { Transaction } from '@tautan/kit/mongo';
import { tagKey } from '../domain/tag-names.js';
import type { TagNames } from '../../links/domain/view.js';
import type { TagCountField } from '../../store/index.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { useTags } from './use-tags.js';

/**
 * Returns the ids and names of the wanted tags of a link or QR code, and creates missing ones. `old` contains the
 * current tags of the link or QR code. The returned `updateCounts` updates the usage counts of added and dropped tags.
 * Throws like `useTags`.
 */
export async function replaceTags(
  deps: Pick<ApiDeps, 'store' | 'ceilings' | 'now'>,
  tx: Transaction,
  {
    workspaceId,
    old,
    wanted,
    counted,
  }: { workspaceId: string; old: TagNames; wanted: string[]; counted: TagCountField },
) {
  const kept = new Map([...old].map(([id, name]) => [tagKey(name), { _id: id, name }]));
  const addedNames = wanted.filter((name) => !kept.has(tagKey(name)));
  const added = await useTags(deps, tx, workspaceId, addedNames, { counted });
  const tags = wanted.map((name) => kept.get(tagKey(name)) ?? added.byKey.get(tagKey(name))!);
  const ids = tags.map(({ _id }) => _id);
  const dropped = new Map([...old.keys()].filter((id) => !ids.includes(id)).map((id) => [id, -1]));
  const updateCounts = async () => {
    await deps.store.tags.addToCounts(workspaceId, dropped, tx.session, counted);
    await added.updateCounts();
  };
  return { ids, names: new Map(tags.map(({ _id, name }) => [_id, name])), updateCounts };
}
