import type { SearchTerm } from '@tautan/kit';
import { Search } from '@tautan/kit/mongo';
import type { Model } from 'mongoose';
import type { QrCode, QrStatus } from '../domain/qr-code.js';

/** Which QR codes of a workspace a list shows. */
export interface ListFilter {
  workspaceId: string;
  linkId?: string | undefined;
  status?: QrStatus | undefined;
  /** Ids of tags, all of which are carried. */
  tagIds: string[];
  /** All of them are found in title, slug, URL or short URL. */
  terms: SearchTerm[];
}

const search = new Search({ texts: ['title', 'slug'], urls: ['url', 'followed.url'], slug: 'slug' });

/** The codes that show a status: their own, or that of the link where they are active themselves. */
const shownAs = (status: QrStatus): Record<string, unknown> =>
  status === 'active'
    ? { status, 'followed.status': { $in: [null, status] } }
    : { $or: [{ status }, { status: 'active', 'followed.status': status }] };

/** What indexes narrow a list down to: everything but the search for terms. */
function narrowing(
  { workspaceId, linkId, status, tagIds }: ListFilter,
  after: string | undefined,
): Record<string, unknown> {
  return {
    workspaceId,
    state: 'live',
    ...(linkId !== undefined && { linkId }),
    ...(status && shownAs(status)),
    ...(tagIds.length > 0 && { tagIds: { $all: tagIds } }),
    ...(after !== undefined && { _id: { $lt: after } }),
  };
}

/** Reads QR codes newest first, which is from the greatest id down. `until` (Unix ms) bounds the time of each query. */
export class ListStore {
  constructor(private readonly model: Model<QrCode>) {}

  /** Up to `limit` QR codes behind one, and not behind `end` where there is one. */
  page(filter: ListFilter, after: string | undefined, end: string | null, limit: number, until: number) {
    const bounded = { ...(after !== undefined && { $lt: after }), ...(end !== null && { $gte: end }) };
    const query = this.model
      .find({ ...narrowing(filter, after), ...(end !== null && { _id: bounded }), ...search.filter(filter.terms) })
      .sort({ _id: -1 })
      .maxTimeMS(timeLeft(until))
      .lean<QrCode[]>();
    return search.read(query, filter.terms, limit);
  }

  /** The id of the nth QR code behind one, searched terms aside; null where there are fewer. */
  async nth(filter: ListFilter, after: string | undefined, n: number, until: number): Promise<string | null> {
    const found = await this.model
      .findOne(narrowing(filter, after))
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
