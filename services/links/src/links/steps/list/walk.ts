import { fail } from '@tautan/kit';
import type { OrderPosition } from '../../domain/cursor.js';
import type { Link } from '../../domain/link.js';
import type { Store } from '../../../store/index.js';
import { isChecked } from '../../store/lists.js';
import type { Page, PageRequest } from './page.js';

/** Ids that one request looks up at most, where the links behind them are gone or not searched for. */
const MAX_IDS = 100_000;
/** Ids that are looked up at once where the list shows few of them. */
const SEARCH_STEP = 2_000;

/** Begins a walk at the start of an order that has all links which the list shows now. */
export async function startWalk(
  { orders }: Store,
  { filter, order, until }: PageRequest,
  shown: string[],
): Promise<OrderPosition> {
  const { _id, count } = await orders.current(filter, order, until);
  return { order: _id, offset: 0, count, shown };
}

/**
 * Reads up to `limit` links of a walk that still are what the list shows, without those that its first page has shown.
 * Throws VALIDATION_ERROR if the order is gone.
 */
export async function readWalk(
  store: Store,
  { filter, order: sort, limit, until }: PageRequest,
  at: OrderPosition,
): Promise<Page> {
  const { order, offset: start, count } = at;
  const shown = new Set(at.shown);
  const isSparse = isChecked(filter, sort) || filter.tagIds.length > 1;
  const step = isSparse ? SEARCH_STEP : limit + 1 + shown.size;
  const passed: string[] = [];
  const found: { link: Link; end: number }[] = [];
  while (found.length <= limit && start + passed.length < count && passed.length < MAX_IDS) {
    const ids = await store.orders.read(filter.workspaceId, order, start + passed.length, step);
    if (ids.length === 0) throw fail('VALIDATION_ERROR', 'cursor is too old: begin the list anew.', 'cursor');
    const wanted = ids.filter((id) => !shown.has(id));
    const links = wanted.length > 0 ? await store.lists.matching(filter, wanted, until) : [];
    const byId = new Map(links.map((link) => [link._id, link]));
    for (const id of ids) {
      passed.push(id);
      const link = byId.get(id);
      if (link) found.push({ link, end: passed.length });
    }
  }
  const read = found.length > limit ? found[limit - 1]!.end : passed.length;
  const links = found.slice(0, limit).map(({ link }) => link);
  for (const id of passed.slice(0, read)) shown.delete(id);
  const offset = start + read;
  return { links, next: offset < count ? { order, offset, count, shown: [...shown] } : undefined };
}
