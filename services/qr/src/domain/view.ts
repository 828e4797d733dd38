import type { EventData } from '@tautan/proto';
import type { QrCode, QrRoute, QrStatus } from './qr-code.js';

/** A QR code as the API shows it. */
export type QrCodeView = EventData<'qr_code.created'>;

/** What there is to be seen of a QR code, here and at the link service. One that follows a link shows what applies of both. */
export function qrCodeView(code: QrCode, route: QrRoute): QrCodeView {
  const { followed } = route;
  const own = ownView(code, route);
  if (!followed) return own;
  return {
    ...own,
    url: followed.url,
    status: code.status === 'active' ? (followed.status as QrStatus) : code.status,
    expiresAt: least(own.expiresAt, followed.expiresAt),
    maxScans: least(own.maxScans, followed.maxClicks),
  };
}

/** The smaller of two limits, of which each may be unset. */
function least<T extends string | number>(own: T | null, other: T | undefined): T | null {
  if (own === null || other === undefined) return own ?? other ?? null;
  return own < other ? own : other;
}

/** The same without what the QR code follows of its link. */
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

/** Names of its tags, as the link service sorts them. */
export const namesOf = ({ tags }: Pick<QrRoute, 'tags'>): string[] => tags.map(({ name }) => name);
