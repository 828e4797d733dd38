import type { SnapshotPosition, Position, LinkPosition } from '../../domain/cursor.js';
import type { Link } from '../../domain/link.js';
import type { Order, OrderPosition } from '../../domain/order.js';
import type { ListFilter, Store } from '../../../store/index.js';
import { readSnapshot, startSnapshot } from './snapshot.js';
import { scan } from './scan.js';

export interface PageRequest {
  filter: ListFilter;
  order: Order;
  limit: number;
  /** Deadline of the reads, Unix ms. */
  until: number;
}

export interface Page {
  links: Link[];
  /** Position of the next page; absent on the last page. */
  next?: Position | undefined;
}

/**
 * Reads a page of a list. Creation times never change, so in a list sorted by creation time, each page starts after the
 * last link of the previous page. Click counts and click times change between pages, so in a list sorted by them, only
 * the first page is read directly. The others are read from a snapshot, so that no link is skipped or repeated. It is
 * taken when the second page is requested, unless a snapshot of the same links from the last minute can be reused.
 */
export async function readPage(store: Store, request: PageRequest, position: Position | undefined): Promise<Page> {
  if (request.order.key === 'createdAt') return orderedPage(store, request, position);
  if (!position) {
    const { links, next } = await scan(store.lists, request);
    return { links, next: next && { firstPageIds: links.map(({ _id }) => _id) } };
  }
  // A cursor is only valid for the order that it was issued for, so its position has one of these two types.
  const at = position as SnapshotPosition | { firstPageIds: string[] };
  return readSnapshot(store, request, 'snapshot' in at ? at : await startSnapshot(store, request, at.firstPageIds));
}

async function orderedPage(store: Store, request: PageRequest, position: Position | undefined): Promise<Page> {
  const { links, next } = await scan(store.lists, request, position && orderPositionOf(position));
  return { links, next: next && { after: [Number(next.value), next.id] } };
}

function orderPositionOf(position: Position): OrderPosition {
  const [value, id] = (position as LinkPosition).after;
  return { value: new Date(value), id };
}
