import type { OrderPosition, Position, StillPosition } from '../../domain/cursor.js';
import type { Link } from '../../domain/link.js';
import type { Order, Place } from '../../domain/order.js';
import type { ListFilter, Store } from '../../../store/index.js';
import { readWalk, startWalk } from './walk.js';
import { scan } from './scan.js';

export interface PageRequest {
  filter: ListFilter;
  order: Order;
  limit: number;
  /** Unix ms. */
  until: number;
}

export interface Page {
  links: Link[];
  /** Where the next page begins; absent when there is none. */
  next?: Position | undefined;
}

/**
 * Reads a page of an order. Creation times stand still, so that a walk by them goes on behind the last link. Click counts
 * and times move under a walk: its first page is read as it stands, and what follows from a stored order of all links, so
 * that nothing that was there throughout is skipped or repeated.
 */
export async function readPage(store: Store, request: PageRequest, position: Position | undefined): Promise<Page> {
  if (request.order.key === 'createdAt') return stillPage(store, request, position);
  if (!position) {
    const { links, next } = await scan(store.lists, request);
    return { links, next: next && { shown: links.map(({ _id }) => _id) } };
  }
  // A cursor is bound to its order, so that one of this order was written here.
  const at = position as OrderPosition | { shown: string[] };
  return readWalk(store, request, 'order' in at ? at : await startWalk(store, request, at.shown));
}

async function stillPage(store: Store, request: PageRequest, position: Position | undefined): Promise<Page> {
  const { links, next } = await scan(store.lists, request, position && placeOf(position));
  return { links, next: next && { after: [Number(next.value), next.id] } };
}

function placeOf(position: Position): Place {
  const [value, id] = (position as StillPosition).after;
  return { value: new Date(value), id };
}
