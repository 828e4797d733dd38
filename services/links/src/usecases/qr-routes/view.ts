import type { QrTarget } from '../../domain/qr-target.js';
import { byName } from '../../domain/tag-names.js';
import { shortUrlOf, type TagNames } from '../../domain/view.js';

/** What the link service tells of a QR code. */
export interface QrRouteView {
  qrCodeId: string;
  slug: string;
  shortUrl: string;
  /** Sorted by name. */
  tags: { id: string; name: string }[];
  scanCount: number;
  lastScanAt?: string;
  /** Scans that its limit still allows; absent without one. */
  remaining?: number;
  version: number;
}

/** Tags that `names` does not know are left out: they are being deleted. */
export function qrRouteView(
  { _id, slug, tags, scanCount, lastScanAt, version }: QrTarget,
  remaining: number | null,
  names: TagNames,
  baseUrl: string,
): QrRouteView {
  return {
    qrCodeId: _id,
    slug,
    shortUrl: shortUrlOf(null, slug, baseUrl),
    tags: tags
      .flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
      .sort((a, b) => byName(a.name, b.name)),
    scanCount,
    ...(lastScanAt && { lastScanAt: lastScanAt.toISOString() }),
    ...(remaining !== null && { remaining }),
    version,
  };
}
