import type { SearchTerm } from '@tautan/kit';
import { Search } from '@tautan/kit/mongo';
import type { Connection, Model } from 'mongoose';
import type { Link, LinkStatus } from '../domain/link.js';
import { conditionsOf, rangesAfter, sortOf, type Order, type Place, type Range } from '../domain/order.js';

/** Which links of a workspace a list shows. */
export interface ListFilter {
  workspaceId: string;
  status?: LinkStatus | undefined;
  /** Ids of tags, all of which are carried. */
  tagIds: string[];
  /** All of them are found in slug, title, description, URL or short URL. */
  terms: SearchTerm[];
  /** Custom domain; null for the default one. */
  domain?: string | null | undefined;
  /** Id of a user or API key. */
  createdBy?: string | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
}

const search = new Search({
  texts: ['slug', 'title', 'description'],
  urls: ['url'],
  slug: 'slugKey',
  domain: 'domain',
});

/** The conditions that indexes serve in every order. */
function narrowing({ workspaceId, status, tagIds }: ListFilter): Record<string, unknown> {
  return {
    workspaceId,
    ...(status && { status }),
    ...(tagIds.length === 1 && { tags: tagIds[0] }),
    ...(tagIds.length > 1 && { tags: { $all: tagIds } }),
  };
}

/** The range, within the creation times of the filter if links are in their order: an index serves both. */
function rangeOf({ createdFrom, createdTo }: ListFilter, order: Order, range: Range): Record<string, unknown> {
  const conditions = conditionsOf(order, range);
  // A range of one creation time starts at a link of the list.
  if (order.key !== 'createdAt' || 'equal' in range) return conditions;
  const span = { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lte: createdTo }), ...range.span };
  return Object.keys(span).length > 0 ? { createdAt: span } : {};
}

/** The conditions that are checked on each link. */
function checked(
  { terms, domain, createdBy, createdFrom, createdTo }: ListFilter,
  order?: Order,
): Record<string, unknown> {
  const created = { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lte: createdTo }) };
  return {
    ...search.filter(terms),
    ...(domain !== undefined && { domain }),
    ...(createdBy !== undefined && { 'createdBy.id': createdBy }),
    ...(order?.key !== 'createdAt' && Object.keys(created).length > 0 && { createdAt: created }),
  };
}

/** Returns whether links have to be read to tell whether they are in the list. */
export const isChecked = (filter: ListFilter, order: Order): boolean => Object.keys(checked(filter, order)).length > 0;

/** Ids that one reply of the database holds. */
const BATCH = 10_000;

/** Reads links in an order. `until` (Unix ms) bounds the time that each query may take. */
export class ListStore {
  constructor(
    private readonly links: Model<Link>,
    private readonly connection: Connection,
  ) {}

  /** The first links of a range that a list shows. */
  page(filter: ListFilter, order: Order, range: Range, limit: number, until: number): Promise<Link[]> {
    const query = this.links
      .find({ ...narrowing(filter), ...rangeOf(filter, order, range), ...checked(filter, order) })
      .sort(sortOf(order))
      .maxTimeMS(timeLeft(until))
      .lean<Link[]>();
    return search.read(query, filter.terms, limit);
  }

  /** The place of a range's nth link, conditions that are checked on each link aside; null where the range is shorter. Index keys alone are read. */
  async nthPlace(filter: ListFilter, order: Order, range: Range, n: number, until: number): Promise<Place | null> {
    const found = await this.links
      .findOne({ ...narrowing(filter), ...rangeOf(filter, order, range) })
      .sort(sortOf(order))
      .skip(n - 1)
      .select({ [order.key]: 1, _id: 1 })
      .maxTimeMS(timeLeft(until))
      .lean<Pick<Link, '_id' | Order['key']>>()
      .exec();
    return found && { value: found[order.key], id: found._id };
  }

  /** Those of some links that a list shows, in no order. */
  matching(filter: ListFilter, ids: string[], until: number): Promise<Link[]> {
    const query = this.links
      .find({ _id: { $in: ids }, ...narrowing(filter), ...checked(filter) })
      .maxTimeMS(timeLeft(until))
      .lean<Link[]>();
    return search.read(query, filter.terms, ids.length);
  }

  /** The ids of all links in an order, conditions that are checked on each link aside, as they stand at one moment; in chunks of `size`, the last one smaller. */
  async *idsAtOneMoment(
    filter: ListFilter,
    order: Order,
    { size, until }: { size: number; until: number },
  ): AsyncGenerator<string[]> {
    const session = await this.connection.startSession();
    try {
      // A transaction is what makes the reads of one scan, and of several, see one moment.
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      let chunk: string[] = [];
      for (const range of rangesAfter(order)) {
        const cursor = this.links
          .find({ ...narrowing(filter), ...conditionsOf(order, range) })
          .sort(sortOf(order))
          .select({ _id: 1 })
          .maxTimeMS(timeLeft(until))
          .session(session)
          .lean<Pick<Link, '_id'>>()
          .cursor({ batchSize: BATCH });
        for await (const { _id } of cursor) {
          if (chunk.push(_id) < size) continue;
          yield chunk;
          chunk = [];
        }
      }
      if (chunk.length) yield chunk;
    } finally {
      if (session.inTransaction()) await session.abortTransaction().catch(() => {});
      await session.endSession();
    }
  }
}

const timeLeft = (until: number): number => Math.max(1, Math.floor(until - Date.now()));
