import { checkLimit, fail, isId, oneOf, parseTagFilter, parseTerms, searchTerm, type Principal } from '@tautan/kit';
import { readCursor, writeCursor } from '../domain/cursor.js';
import { qrStatuses, type QrCode } from '../domain/qr-code.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { ListFilter, Store } from '../store/index.js';
import type { Deps } from './deps.js';

export interface ListInput {
  q?: string | undefined;
  /** Names or ids; all of them are carried. */
  tags: string[];
  status?: string | undefined;
  linkId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface QrCodePage {
  qrCodes: QrCodeView[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/** What one search examines at most, in steps: behind each it looks whether it has found enough. */
const bounds = { step: 10_000, steps: 10 };

/**
 * One page of the workspace's QR codes, newest first. A search examines a bounded number of them, so that its page can be
 * short, even empty, and yet have a next one. `until` (Unix ms) bounds the reads. Throws VALIDATION_ERROR naming the
 * parameter.
 */
export async function listQrCodes(
  { store, routes, baseUrl }: Pick<Deps, 'store' | 'routes' | 'baseUrl'>,
  by: Principal,
  input: ListInput,
  until: number,
): Promise<QrCodePage> {
  const limit = checkLimit(input.limit);
  const query = {
    workspaceId: by.workspaceId,
    terms: parseTerms(input.q ?? ''),
    tags: parseTagFilter(input.tags),
    status: oneOf('status', qrStatuses, input.status),
    linkId: checkLinkId(input.linkId),
  };
  const after = input.cursor === undefined ? undefined : readCursor(query, input.cursor);
  const terms = query.terms.map((text) => searchTerm(text, baseUrl));
  const tagIds = await routes.tagIds(by, query.tags);
  if (!tagIds) return { qrCodes: [] };
  const { codes, next } = await scan(store.lists, { ...query, terms, tagIds }, { after, limit, until });
  const found = await routes.of(by, codes.map(({ _id }) => _id)); // prettier-ignore
  // What the link service does not know any more has just been deleted.
  const shown = codes.flatMap((code) => {
    const route = found.get(code._id);
    const view = route && qrCodeView(code, route);
    // Its link has just changed where it shows another status than it was found by.
    return view && (query.status === undefined || view.status === query.status) ? [view] : [];
  });
  return { qrCodes: shown, ...(next !== undefined && { nextCursor: writeCursor(query, next) }) };
}

function checkLinkId(linkId: string | undefined): string | undefined {
  if (linkId === undefined || isId(linkId, 'lnk')) return linkId;
  throw fail('VALIDATION_ERROR', 'linkId must be the id of a link.', 'linkId');
}

interface Stretch {
  after: string | undefined;
  limit: number;
  until: number;
}

/** Up to `limit` QR codes behind one; `next`: behind which to go on. */
export async function scan(
  lists: Store['lists'],
  filter: ListFilter,
  { after, limit, until }: Stretch,
  { step, steps } = bounds,
): Promise<{ codes: QrCode[]; next?: string }> {
  const found: QrCode[] = [];
  let place = after;
  for (let taken = 0; taken < steps; taken += 1) {
    // Without terms the index yields nothing but QR codes of the list.
    const end = filter.terms.length > 0 ? await lists.nth(filter, place, step, until) : null;
    found.push(...(await lists.page(filter, place, end, limit + 1 - found.length, until)));
    if (found.length > limit) return { codes: found.slice(0, limit), next: found[limit - 1]!._id };
    if (end === null) return { codes: found };
    place = end;
  }
  return { codes: found, ...(place !== undefined && { next: place }) };
}
