import type { Link } from '../../domain/link.js';
import { rangesAfter, upToPosition, type OrderPosition } from '../../domain/order.js';
import type { Store } from '../../../store/index.js';
import { hasCheckedConditions } from '../../store/lists.js';
import type { PageRequest } from './page.js';

/**
 * Bounds of a search per request. A step examines the next 10,000 links of a range, or the rest of the range if fewer
 * links are left. Only a step that examines 10,000 links yields a position from which the next request can continue. If
 * the eighth step yields no position, the request continues until a step yields one or the list ends. That takes at
 * most two more steps, because at most three ranges follow a position. So a request examines at most 100,000 links.
 */
const bounds = { stepSize: 10_000, maxSteps: 8 };

/**
 * Reads up to `limit` links after a position. `next` is the position to continue from: the last link, or the last one
 * examined if a search reached its bound. Absent at the end.
 */
export async function scan(
  lists: Store['lists'],
  { filter, order, limit, until }: PageRequest,
  position?: OrderPosition,
  { stepSize, maxSteps } = bounds,
): Promise<{ links: Link[]; next?: OrderPosition | undefined }> {
  const found: Link[] = [];
  let next: OrderPosition | undefined;
  let ranges = rangesAfter(order, position);
  for (let taken = 0; ranges.length > 0 && found.length <= limit && (taken < maxSteps || !next); taken += 1) {
    const range = ranges[0]!;
    // Only a filter with conditions that must be checked on each link makes the request a search. Otherwise the range is
    // read in one step.
    const end = hasCheckedConditions(filter, order)
      ? await lists.nthPosition(filter, order, range, stepSize, until)
      : null;
    for (const part of end ? upToPosition(order, range, end) : [range]) {
      const wanted = limit + 1 - found.length;
      if (wanted > 0) found.push(...(await lists.page(filter, order, part, wanted, until)));
    }
    next = end ?? undefined;
    ranges = end ? rangesAfter(order, end) : ranges.slice(1);
  }
  if (found.length <= limit) return { links: found, next: ranges.length > 0 ? next : undefined };
  const links = found.slice(0, limit);
  const last = links.at(-1)!;
  return { links, next: { value: last[order.key], id: last._id } };
}
