import type { Principal } from '@tautan/kit';
import { rangesAfter, type Order, type OrderPosition } from '../domain/order.js';
import { linkView, type LinkView } from '../domain/view.js';
import { currentStatuses } from '../steps/current-statuses.js';
import type { ApiDeps } from '../../usecase-deps.js';

const CHUNK = 500;
const oldestFirst: Order = { key: 'createdAt', direction: 1 };

/**
 * Emits `export.performed`, then yields all links of the workspace, oldest first, in chunks. Each chunk is read on
 * demand, which bounds memory. Links that exist throughout are returned exactly once. The call's deadline bounds each
 * read.
 */
export async function* exportLinks(
  { store, baseUrl, transact, now, deadline }: Pick<ApiDeps, 'store' | 'baseUrl' | 'transact' | 'now' | 'deadline'>,
  by: Principal,
): AsyncGenerator<LinkView[]> {
  const { workspaceId } = by;
  const target = { type: 'workspace', id: workspaceId, label: 'links' };
  await transact(by, async (tx) => tx.emit({ type: 'export.performed', target, data: { what: 'links' } }));
  const filter = { workspaceId, tagIds: [], terms: [] };
  let position: OrderPosition | undefined;
  for (let ranges = rangesAfter(oldestFirst); ranges.length > 0;) {
    const links = await store.lists.page(filter, oldestFirst, ranges[0]!, CHUNK, deadline);
    const last = links.at(-1);
    if (!last || links.length < CHUNK) ranges.shift();
    if (!last) continue;
    const names = await store.tags.namesOf(workspaceId, links);
    // The stored status can still be active after the expiry date. An import of the export would reject such a link.
    const statuses = await currentStatuses({ store, now }, links);
    yield links.map((link, i) => linkView({ ...link, status: statuses[i]! }, names, baseUrl));
    position = { value: last.createdAt, id: last._id };
    if (links.length === CHUNK) ranges = rangesAfter(oldestFirst, position);
  }
}
