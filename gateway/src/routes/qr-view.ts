import type { QrCodeMessage } from '@tautan/proto';
import type { QrCodeRecord } from './qr-schemas.js';

/** A QR code as the API shows it. */
export function qrCodeView(code: QrCodeMessage): QrCodeRecord {
  return {
    id: code.id,
    title: code.title ?? null,
    url: code.url ?? null,
    linkId: code.linkId ?? null,
    slug: code.slug,
    shortUrl: code.shortUrl,
    styleConfig: JSON.parse(code.styleConfig) as QrCodeRecord['styleConfig'],
    logoRunRef: code.logoRunRef ?? null,
    tags: code.tags,
    status: code.status as QrCodeRecord['status'],
    expiresAt: code.expiresAt ?? null,
    maxScans: code.maxScans ?? null,
    scanCount: code.scanCount,
    lastScanAt: code.lastScanAt ?? null,
    createdBy: {
      type: (code.createdBy?.type ?? 'api_key') as QrCodeRecord['createdBy']['type'],
      id: code.createdBy?.id ?? '',
    },
    createdAt: code.createdAt,
    updatedAt: code.updatedAt,
  };
}
