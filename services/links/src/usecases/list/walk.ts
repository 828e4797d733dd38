import { fail } from '@tautan/kit';
import type { WalkPosition } from '../../domain/cursor.js';
import type { Link } from '../../domain/link.js';
import type { Store } from '../../store/index.js';
import type { Page, PageRequest } from './page.js';

/** Ids that one request looks up at most, where the links behind them are gone or not searched for. */
const MAX_IDS = 100_000;
/** Ids that a search looks up at once. */
const SEARCH_STEP = 2_000;

/** Writes down the order as it stands, without the links that the first page has shown. */
export async function startWalk(
  { lists, walks }: Store,
  { filter, order, until }: PageRequest,
  shown: string[],
): Promise<WalkPosition> {
  const options = { except: new Set(shown), size: walks.chunkIds, until };
  return { ...(await walks.write(lists.idsAtOneMoment(filter, order, options))), offset: 0 };
}

/** Reads up to `limit` links of a walk that still are what the list shows. Throws VALIDATION_ERROR for one that is gone. */
export async function readWalk(store: Store, { filter, limit, until }: PageRequest, at: WalkPosition): Promise<Page> {
  const { walk, offset: start, count } = at;
  const found: { link: Link; end: number }[] = [];
  let offset = start;
  while (found.length <= limit && offset < count && offset - start < MAX_IDS) {
    const step = filter.terms.length > 0 ? SEARCH_STEP : limit + 1;
    const ids = await store.walks.read(walk, offset, step);
    if (!ids?.length) throw fail('VALIDATION_ERROR', 'cursor is too old: begin the list anew.', 'cursor');
    const links = new Map((await store.lists.matching(filter, ids, until)).map((link) => [link._id, link]));
    ids.forEach((id, i) => {
      const link = links.get(id);
      if (link) found.push({ link, end: offset + i + 1 });
    });
    offset += ids.length;
  }
  if (found.length > limit) offset = found[limit - 1]!.end;
  const links = found.slice(0, limit).map(({ link }) => link);
  return { links, next: offset < count ? { walk, offset, count } : undefined };
}
