import type { EventData } from '@tautan/proto';
import type { QrCode, QrRoute } from './qr-code.js';

/** A QR code as the API shows it. */
export type QrCodeView = EventData<'qr_code.created'>;

/** What there is to be seen of a QR code, here and at the link service. */
export function qrCodeView(code: QrCode, route: QrRoute): QrCodeView {
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
