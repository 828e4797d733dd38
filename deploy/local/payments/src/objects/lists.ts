import { invalid } from '../api/errors.js';

/** https://docs.stripe.com/api/pagination */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

interface Page {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

const DEFAULT_LIMIT = 10;

/** Returns a list that holds all items, for a field of another object. */
export const listOf = <T>(data: T[], url: string): List<T> => ({ object: 'list', data, has_more: false, url });

/** Returns a page of `oldestFirst`, sorted newest first. Throws if the object of the cursor does not exist. */
export function pageOf<T extends { id: string }>(oldestFirst: T[], page: Page, url: string): List<T> {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = page;
  if (after !== undefined && before !== undefined)
    throw invalid('You may only specify one of these parameters: ending_before, starting_after.', 'ending_before');
  const all = oldestFirst.toReversed();
  const indexOf = (id: string, param: string): number => {
    const found = all.findIndex((one) => one.id === id);
    if (found < 0) throw invalid(`No such object: '${id}'`, param, 'resource_missing');
    return found;
  };
  if (before !== undefined) {
    const end = indexOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', data, has_more: all.length > start + limit, url };
}
