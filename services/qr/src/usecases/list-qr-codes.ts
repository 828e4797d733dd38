import { checkLimit, fail, isId, oneOf, parseFilterValues, parseTerms, searchTerm, type Principal } from '@tautan/kit';
import { readCursor, writeCursor } from '../domain/cursor.js';
import { qrStatuses, type QrCode } from '../domain/qr-code.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import type { ListFilter, Store } from '../store/index.js';
import type { Deps } from '../usecase-deps.js';

export interface ListInput {
  q?: string | undefined;
  /** Names or ids, all of which must be present. */
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

/** Maximum number of tags in a filter: no code has more. */
const MAX_TAGS = 20;

/** Maximum number of codes that one search examines, in steps; after each it checks whether it has found enough. */
const bounds = { step: 10_000, steps: 10 };

/**
 * Returns a page of the workspace's QR codes, newest first. A search examines a bounded number of codes, so that a page can be
 * short or empty and still have a next one. `until` (Unix ms) is the deadline of the reads. Throws VALIDATION_ERROR naming the
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
    tags: parseFilterValues('tag', input.tags, MAX_TAGS),
    status: oneOf('status', qrStatuses, input.status),
    linkId: checkLinkId(input.linkId),
  };
  const after = input.cursor === undefined ? undefined : readCursor(query, input.cursor);
  const terms = query.terms.map((text) => searchTerm(text, baseUrl));
  const tagIds = await routes.tagIds(by, query.tags);
  if (!tagIds) return { qrCodes: [] };
  const { codes, next } = await scan(store.lists, { ...query, terms, tagIds }, { after, limit, until });
  const found = await routes.of(
    by,
    codes.map(({ _id }) => _id),
  );
  // Codes without a route have just been deleted.
  const views = codes.flatMap((code) => {
    const route = found.get(code._id);
    const view = route && qrCodeView(code, route);
    // The status differs from the requested one if the link has just changed.
    return view && (query.status === undefined || view.status === query.status) ? [view] : [];
  });
  return { qrCodes: views, ...(next !== undefined && { nextCursor: writeCursor(query, next) }) };
}

function checkLinkId(linkId: string | undefined): string | undefined {
  if (linkId === undefined || isId(linkId, 'lnk')) return linkId;
  throw fail('VALIDATION_ERROR', 'linkId must be the id of a link.', 'linkId');
}

interface ScanRange {
  after: string | undefined;
  limit: number;
  until: number;
}

/** Returns up to `limit` QR codes after one; `next` is where to continue. */
export async function scan(
  lists: Store['lists'],
  filter: ListFilter,
  { after, limit, until }: ScanRange,
  { step, steps } = bounds,
): Promise<{ codes: QrCode[]; next?: string }> {
  const found: QrCode[] = [];
  let position = after;
  for (let done = 0; done < steps; done += 1) {
    // Without terms, the index returns only matching QR codes.
    const end = filter.terms.length > 0 ? await lists.nth(filter, position, step, until) : null;
    found.push(...(await lists.page(filter, position, end, limit + 1 - found.length, until)));
    if (found.length > limit) return { codes: found.slice(0, limit), next: found[limit - 1]!._id };
    if (end === null) return { codes: found };
    position = end;
  }
  return { codes: found, ...(position !== undefined && { next: position }) };
}
