import type { SearchTerm } from '@tautan/kit';
import { Search } from '@tautan/kit/mongo';
import type { Connection, Model } from 'mongoose';
import type { Link, LinkStatus } from '../domain/link.js';
import { conditionsOf, rangesAfter, sortOf, type Order, type OrderPosition, type Range } from '../domain/order.js';

/** The filter of a list of links. */
export interface ListFilter {
  workspaceId: string;
  status?: LinkStatus | undefined;
  /** Tag ids; links must have all of them. */
  tagIds: string[];
  /** Links must contain all terms in slug, title, description, URL or short URL. */
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

/** Returns the conditions on the workspace, the status and the tags, which some indexes contain. */
function indexedConditions({ workspaceId, status, tagIds }: ListFilter): Record<string, unknown> {
  return {
    workspaceId,
    ...(status && { status }),
    ...(tagIds.length === 1 && { tags: tagIds[0] }),
    ...(tagIds.length > 1 && { tags: { $all: tagIds } }),
  };
}

/**
 * Returns the conditions of a range. For links in order of creation, the index also covers the filter by creation time,
 * which is then part of the range.
 */
function rangeConditions({ createdFrom, createdTo }: ListFilter, order: Order, range: Range): Record<string, unknown> {
  const conditions = conditionsOf(order, range);
  // A range with `equal` has one creation time. This is the time of a link that the same filter found, so the filter
  // includes it.
  if (order.key !== 'createdAt' || 'equal' in range) return conditions;
  const span = { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lte: createdTo }), ...range.span };
  return Object.keys(span).length > 0 ? { createdAt: span } : {};
}

/** Returns the conditions that must be checked on each link. */
function checkedConditions(
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

/** Returns whether links must be read to decide whether they match. */
export const hasCheckedConditions = (filter: ListFilter, order: Order): boolean =>
  Object.keys(checkedConditions(filter, order)).length > 0;

/** Number of ids per batch of the database cursor. */
const BATCH = 10_000;

/** Reads links in an order. `until` (Unix ms) bounds the duration of each query. */
export class ListStore {
  constructor(
    private readonly links: Model<Link>,
    private readonly connection: Connection,
  ) {}

  /** Returns the first matching links of a range. */
  page(filter: ListFilter, order: Order, range: Range, limit: number, until: number): Promise<Link[]> {
    const query = this.links
      .find({
        ...indexedConditions(filter),
        ...rangeConditions(filter, order, range),
        ...checkedConditions(filter, order),
      })
      .sort(sortOf(order))
      .maxTimeMS(timeLeft(until))
      .lean<Link[]>();
    return search.read(query, filter.terms, limit);
  }

  /**
   * Returns the position of the nth link of a range, ignoring checked conditions, or null if the range is shorter.
   * Reads index keys only, unless the filter has a status or tags that the index of the order does not contain.
   */
  async nthPosition(
    filter: ListFilter,
    order: Order,
    range: Range,
    n: number,
    until: number,
  ): Promise<OrderPosition | null> {
    const found = await this.links
      .findOne({ ...indexedConditions(filter), ...rangeConditions(filter, order, range) })
      .sort(sortOf(order))
      .skip(n - 1)
      .select({ [order.key]: 1, _id: 1 })
      .maxTimeMS(timeLeft(until))
      .lean<Pick<Link, '_id' | Order['key']>>()
      .exec();
    return found && { value: found[order.key], id: found._id };
  }

  /** Returns the matching links with these ids, unordered. */
  matching(filter: ListFilter, ids: string[], until: number): Promise<Link[]> {
    const query = this.links
      .find({ _id: { $in: ids }, ...indexedConditions(filter), ...checkedConditions(filter) })
      .maxTimeMS(timeLeft(until))
      .lean<Link[]>();
    return search.read(query, filter.terms, ids.length);
  }

  /**
   * Yields the ids of the links that match the indexed conditions, sorted by `order`, in chunks of `size` (the last may
   * be smaller). All ids come from one database snapshot. Ignores checked conditions, and ignores the filter by
   * creation time even if the links are sorted by it.
   */
  async *snapshotIds(
    filter: ListFilter,
    order: Order,
    { size, until }: { size: number; until: number },
  ): AsyncGenerator<string[]> {
    const session = await this.connection.startSession();
    try {
      // A transaction makes all scans read the same snapshot.
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      let chunk: string[] = [];
      for (const range of rangesAfter(order)) {
        const cursor = this.links
          .find({ ...indexedConditions(filter), ...conditionsOf(order, range) })
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

/** Maximum value of `maxTimeMS`. */
const MAX_TIME_MS = 2 ** 31 - 1;

const timeLeft = (until: number): number => Math.min(Math.max(1, Math.floor(until - Date.now())), MAX_TIME_MS);
