import { fail } from '@tautan/kit';
import type { SnapshotPosition } from '../../domain/cursor.js';
import type { Link } from '../../domain/link.js';
import type { Store } from '../../../store/index.js';
import { hasCheckedConditions } from '../../store/lists.js';
import type { Page, PageRequest } from './page.js';

/**
 * Maximum number of ids that one request reads in search of matching links. Deleted links, and links that do not match,
 * also count.
 */
const MAX_IDS = 100_000;
/** Number of ids read at once when the filter may exclude most of them. */
const SEARCH_STEP = 2_000;

/**
 * Returns the position at the start of a snapshot that contains all links that match the list now, and possibly others.
 */
export async function startSnapshot(
  { listSnapshots }: Store,
  { filter, order, until }: PageRequest,
  firstPageIds: string[],
): Promise<SnapshotPosition> {
  const { _id, count } = await listSnapshots.current(filter, order, until);
  return { snapshot: _id, offset: 0, count, firstPageIds };
}

/**
 * Reads up to `limit` links of a snapshot that still match the list, except those of the first page. Throws
 * VALIDATION_ERROR if the snapshot has expired.
 */
export async function readSnapshot(
  store: Store,
  { filter, order, limit, until }: PageRequest,
  at: SnapshotPosition,
): Promise<Page> {
  const { snapshot, offset: start, count } = at;
  const firstPageIds = new Set(at.firstPageIds);
  const isSparse = hasCheckedConditions(filter, order) || filter.tagIds.length > 1;
  const step = isSparse ? SEARCH_STEP : limit + 1 + firstPageIds.size;
  const examined: string[] = [];
  const found: { link: Link; end: number }[] = [];
  while (found.length <= limit && start + examined.length < count && examined.length < MAX_IDS) {
    const ids = await store.listSnapshots.read(filter.workspaceId, snapshot, start + examined.length, step);
    if (ids.length === 0)
      throw fail('VALIDATION_ERROR', 'cursor has expired. Start again from the first page.', 'cursor');
    const wanted = ids.filter((id) => !firstPageIds.has(id));
    const links = wanted.length > 0 ? await store.lists.matching(filter, wanted, until) : [];
    const byId = new Map(links.map((link) => [link._id, link]));
    for (const id of ids) {
      examined.push(id);
      const link = byId.get(id);
      if (link) found.push({ link, end: examined.length });
    }
  }
  const read = found.length > limit ? found[limit - 1]!.end : examined.length;
  const links = found.slice(0, limit).map(({ link }) => link);
  for (const id of examined.slice(0, read)) firstPageIds.delete(id);
  const offset = start + read;
  return { links, next: offset < count ? { snapshot, offset, count, firstPageIds: [...firstPageIds] } : undefined };
}
