import { checkLimit, fail, isId, oneOf, parseFilterValues, parseTerms, searchTerm, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { readCursor, writeCursor } from '../domain/cursor.js';
import { qrStatuses } from '../domain/qr-code.js';
import { qrCodeView, type QrCodeView } from '../domain/view.js';
import { searchQrCodes } from '../steps/search-qr-codes.js';
import type { Deps } from '../usecase-deps.js';

export interface ListInput {
  q?: string | undefined;
  /** Names or ids of tags. QR codes must have all of them. */
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

/**
 * Returns a page of the workspace's QR codes, newest first. A search examines a limited number of codes, so a page can
 * be short or empty although more pages follow. Throws VALIDATION_ERROR naming the invalid parameter.
 */
export async function listQrCodes(
  { store, routes, baseUrl, deadline }: Pick<Deps, 'store' | 'routes' | 'baseUrl'> & Pick<CallDeps, 'deadline'>,
  by: Principal,
  input: ListInput,
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
  const { codes, next } = await searchQrCodes(
    store.lists,
    { ...query, terms, tagIds },
    { after, limit, until: deadline },
  );
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
