import type { SearchTerm } from '@tautan/kit';
import { Search } from '@tautan/kit/mongo';
import type { Model } from 'mongoose';
import type { QrCode, QrStatus } from '../domain/qr-code.js';

/** The filters of a list of QR codes. */
export interface ListFilter {
  workspaceId: string;
  linkId?: string | undefined;
  status?: QrStatus | undefined;
  /** Ids of tags, all of which must be present. */
  tagIds: string[];
  /** Terms, all of which must occur in title, slug, URL or short URL. */
  terms: SearchTerm[];
}

const search = new Search({ texts: ['title', 'slug'], urls: ['url', 'followed.url'], slug: 'slug' });

/** Returns the filter for an effective status: the code's own, or that of its link while the code is active. */
const statusFilter = (status: QrStatus): Record<string, unknown> =>
  status === 'active'
    ? { status, 'followed.status': { $in: [null, status] } }
    : { $or: [{ status }, { status: 'active', 'followed.status': status }] };

/** Returns the part of the filter that indexes cover: everything except the search terms. */
function indexedFilter(
  { workspaceId, linkId, status, tagIds }: ListFilter,
  after: string | undefined,
): Record<string, unknown> {
  return {
    workspaceId,
    state: 'live',
    ...(linkId !== undefined && { linkId }),
    ...(status && statusFilter(status)),
    ...(tagIds.length > 0 && { tagIds: { $all: tagIds } }),
    ...(after !== undefined && { _id: { $lt: after } }),
  };
}

/** Reads QR codes newest first, by descending id. `until` (Unix ms) is the deadline of each query. */
export class ListStore {
  constructor(private readonly model: Model<QrCode>) {}

  /** Returns up to `limit` QR codes that follow the id `after`, down to and including the id `end` if given. */
  page(filter: ListFilter, after: string | undefined, end: string | null, limit: number, until: number) {
    const bounded = { ...(after !== undefined && { $lt: after }), ...(end !== null && { $gte: end }) };
    const query = this.model
      .find({ ...indexedFilter(filter, after), ...(end !== null && { _id: bounded }), ...search.filter(filter.terms) })
      .sort({ _id: -1 })
      .maxTimeMS(timeLeft(until))
      .lean<QrCode[]>();
    return search.read(query, filter.terms, limit);
  }

  /** Returns the id of the nth QR code that follows the id `after`, ignoring search terms; null if there are fewer. */
  async nth(filter: ListFilter, after: string | undefined, n: number, until: number): Promise<string | null> {
    const found = await this.model
      .findOne(indexedFilter(filter, after))
      .sort({ _id: -1 })
      .skip(n - 1)
      .select({ _id: 1 })
      .maxTimeMS(timeLeft(until))
      .lean<Pick<QrCode, '_id'>>()
      .exec();
    return found?._id ?? null;
  }
}

const timeLeft = (until: number): number => Math.max(1, Math.floor(until - Date.now()));
