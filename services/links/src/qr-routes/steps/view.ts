import type { LinkStatus } from '../../links/domain/link.js';
import type { QrTarget } from '../domain/qr-target.js';
import { byName } from '../../tags/domain/tag-names.js';
import { shortUrlOf, type TagNames } from '../../links/domain/view.js';

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
  /** Absent for a QR code that stands alone. */
  followed?: FollowedLinkView;
}

/** What a QR code follows of its link. */
export interface FollowedLinkView {
  url: string;
  status: LinkStatus;
  expiresAt?: string;
  maxClicks?: number;
}

/** Tags that `names` does not know are left out: they are being deleted. */
export function qrRouteView(
  { _id, slug, tags, scanCount, lastScanAt, version }: QrTarget,
  remaining: number | null,
  names: TagNames,
  baseUrl: string,
  followed?: FollowedLinkView,
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
    ...(followed && { followed }),
  };
}
