import type { EventData } from '@tautan/proto';
import type { QrCode, QrRoute, QrStatus } from './qr-code.js';

/** A QR code as represented in the API. */
export type QrCodeView = EventData<'qr_code.created'>;

/**
 * Returns the view of a QR code. The view of a code that follows a link has the link's URL, the link's status if the
 * code is active, and for each limit the stricter of the code's limit and the link's limit.
 */
export function qrCodeView(code: QrCode, route: QrRoute): QrCodeView {
  const { followed } = route;
  const own = ownView(code, route);
  if (!followed) return own;
  return {
    ...own,
    url: followed.url,
    status: code.status === 'active' ? (followed.status as QrStatus) : code.status,
    expiresAt: stricter(own.expiresAt, followed.expiresAt),
    maxScans: stricter(own.maxScans, followed.maxClicks),
  };
}

/** Returns the smaller of two limits, each of which may be unset. */
function stricter<T extends string | number>(own: T | null, other: T | undefined): T | null {
  if (own === null || other === undefined) return own ?? other ?? null;
  return own < other ? own : other;
}

/** Returns the view without the link's effects. */
export function ownView(code: QrCode, route: QrRoute): QrCodeView {
  return {
    id: code._id,
    title: code.title,
    url: code.url,
    linkId: code.linkId,
    slug: route.slug,
    shortUrl: route.shortUrl,
    styleConfig: { ...code.styleConfig },
    logoRunRef: code.logoRunRef,
    tags: namesOf(route),
    status: code.status,
    expiresAt: code.expiresAt?.toISOString() ?? null,
    maxScans: code.maxScans,
    scanCount: route.scanCount,
    lastScanAt: route.lastScanAt ?? null,
    createdBy: { type: code.createdBy.type, id: code.createdBy.id },
    createdAt: code.createdAt.toISOString(),
    updatedAt: code.updatedAt.toISOString(),
  };
}

/** Returns the names of a code's tags, as sorted by the link service. */
export const namesOf = ({ tags }: Pick<QrRoute, 'tags'>): string[] => tags.map(({ name }) => name);
