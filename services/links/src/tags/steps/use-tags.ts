import { fail, newId, type Fault, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Tag } from '../../links/domain/link.js';
import { tagKey } from '../domain/tag-names.js';
import { tagView } from '../../links/domain/view.js';
import type { TagCountField } from '../../store/index.js';
import type { ApiDeps, Ceilings } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store' | 'ceilings' | 'now'>;

/** Tags that a change adds to links or QR codes. */
export interface UsedTags {
  /** Tags by `tagKey`. */
  byKey: ReadonlyMap<string, Tag>;
  /** Adds the uses to the counts of the existing tags. Called last in a transaction, to keep write locks short. */
  updateCounts(): Promise<void>;
}

/**
 * Finds tags by name for links or QR codes, and creates missing ones. A name that occurs n times in `names` counts as n
 * uses. `byOf` returns the principal that creates a tag, if the transaction acts for several principals. Throws
 * VALIDATION_ERROR naming `tags` if the workspace would exceed its maximum number of tags.
 */
export async function useTags(
  deps: Deps,
  tx: Transaction,
  workspaceId: string,
  names: string[],
  { counted = 'linkCount', byOf }: { counted?: TagCountField; byOf?: (name: string) => Principal } = {},
): Promise<UsedTags> {
  const uses = new Map<string, { name: string; times: number }>();
  for (const name of names) {
    const use = uses.get(tagKey(name)) ?? { name, times: 0 };
    uses.set(tagKey(name), { ...use, times: use.times + 1 });
  }
  if (uses.size === 0) return { byKey: new Map(), updateCounts: async () => {} };
  const found = await deps.store.tags.byKeys(workspaceId, [...uses.keys()], tx.session);
  const byKey = new Map(found.map((tag) => [tag.nameKey, tag]));
  const missing = [...uses].filter(([key]) => !byKey.has(key));
  const created = missing.map(([, { name, times }]) => ({
    ...newTag(workspaceId, name, 0, deps.now()),
    [counted]: times,
  }));
  await createTags(deps, tx, workspaceId, created, { field: 'tags', byOf });
  for (const tag of created) byKey.set(tag.nameKey, tag);
  const counts = new Map(found.map((tag) => [tag._id, uses.get(tag.nameKey)!.times]));
  return { byKey, updateCounts: () => deps.store.tags.addToCounts(workspaceId, counts, tx.session, counted) };
}

export function newTag(workspaceId: string, name: string, linkCount: number, now: Date): Tag {
  const nameKey = tagKey(name);
  return { _id: newId('tag'), workspaceId, name, nameKey, linkCount, qrCodeCount: 0, createdAt: now, updatedAt: now };
}

/**
 * Writes new tags and their events. Throws VALIDATION_ERROR naming `field` if the workspace would exceed its maximum
 * number of tags.
 */
export async function createTags(
  { store, ceilings }: Pick<ApiDeps, 'store' | 'ceilings'>,
  tx: Transaction,
  workspaceId: string,
  tags: Tag[],
  { field, byOf }: { field: string; byOf?: ((name: string) => Principal) | undefined },
): Promise<void> {
  if (tags.length === 0) return;
  if ((await store.tags.count(workspaceId, tx.session)) + tags.length > ceilings.tags)
    throw tooManyTags(ceilings, field);
  await store.tags.insert(tags, tx.session);
  for (const tag of tags) {
    const target = { type: 'tag', id: tag._id, label: tag.name };
    tx.emit({ type: 'tag.created', target, data: tagView(tag), ...(byOf && { by: byOf(tag.name) }) });
  }
}

export const tooManyTags = ({ tags }: Ceilings, field: string): Fault =>
  fail('VALIDATION_ERROR', `A workspace can have at most ${tags} tags. Delete unused tags first.`, field);
